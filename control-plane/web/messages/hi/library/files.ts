// The words of the Files page, in Hindi.
import { grouped, plural } from '../language.ts'

export const strings = {
  find: 'फ़ाइल खोजें',
  kind: 'प्रकार',
  all: 'सभी',
  kinds: { take: 'टेक', book: 'ऑडियोबुक', dub: 'डबिंग', transcript: 'ट्रांसक्रिप्ट' },
  columns: { name: 'नाम', kind: 'प्रकार', voice: 'किससे बनी', length: 'अवधि', size: 'आकार', made: 'कब बनी', actions: 'कार्रवाइयाँ' },
  removed: 'हटाई गई',
  none: 'अभी कोई फ़ाइल नहीं। टेक, तैयार किताबें, डबिंग और ट्रांसक्रिप्ट यहाँ दिखेंगी।',
  noneFound: 'कोई मेल खाती फ़ाइल नहीं।',
  showAll: 'फ़िल्टर हटाएँ',
  foundSoFar: (count: number) => plural(count, { one: 'अब तक # फ़ाइल', other: 'अब तक # फ़ाइलें' }),
  found: (count: number) => plural(count, { one: '# फ़ाइल', other: '# फ़ाइलें' }),
  more: (count: number) => `${grouped(count)} और दिखाएँ`,
  chapters: (chapters: number) => plural(chapters, { one: '# अध्याय', other: '# अध्याय' }),
  downloadOf: (name: string) => `${name} डाउनलोड करें`,
  deleteOf: (name: string) => `${name} मिटाएँ`,
  deleteTitle: (name: string) => `${name} को मिटाना है?`,
  deleteHints: {
    book: 'किताब और उसकी फ़ाइलें मिटा दी जाएँगी। इसे पूर्ववत नहीं किया जा सकता।',
    dub: 'डबिंग अपनी फ़िल्म, लाइनों और वॉइस ट्रैक के साथ मिटा दी जाएगी। इसे पूर्ववत नहीं किया जा सकता।',
  },
  deleteYes: 'मिटाएँ',
  keep: 'रहने दें',
  deleted: 'मिटा दिया गया।',
}
