// Cardinals of the package n2words in other letters.
import { toCardinal as ar } from 'n2words/ar-SA'
import { toCardinal as el } from 'n2words/el-GR'
import { toCardinal as hi } from 'n2words/hi-IN'
import { toCardinal as ja } from 'n2words/ja-JP'
import { toCardinal as ko } from 'n2words/ko-KR'
import { toCardinal as ru } from 'n2words/ru-RU'
import { toCardinal as uk } from 'n2words/uk-UA'

export const NON_LATIN_CARDINALS = { ar, el, hi, ja, ko, ru, uk }
