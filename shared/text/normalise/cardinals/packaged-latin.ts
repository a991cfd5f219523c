// Cardinals of the package n2words in Latin letters.
import { toCardinal as cs } from 'n2words/cs-CZ'
import { toCardinal as fi } from 'n2words/fi-FI'
import { toCardinal as hr } from 'n2words/hr-HR'
import { toCardinal as hu } from 'n2words/hu-HU'
import { toCardinal as id } from 'n2words/id-ID'
import { toCardinal as ro } from 'n2words/ro-RO'
import { toCardinal as tr } from 'n2words/tr-TR'
import { toCardinal as vi } from 'n2words/vi-VN'

export const LATIN_CARDINALS = { cs, fi, hr, hu, id, ro, tr, vi }
