// Cardinals of the package n2words in other letters.
import { toCardinal as ar } from 'n2words/ar-SA'
import { toCardinal as el } from 'n2words/el-GR'
import { toCardinal as hi } from 'n2words/hi-IN'

export const NON_LATIN_CARDINALS = { ar, el, hi }
