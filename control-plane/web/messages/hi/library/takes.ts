// The words about takes that Speak, Files, Settings and the palette share, in Hindi.
import { grouped, plural } from '../language.ts'

export const strings = {
  count: (takes: number) => grouped(takes),
  find: 'टेक में खोजें',
  from: 'दिखने वाले टेक',
  all: 'सभी',
  starred: 'तारांकित',
  noneFound: 'कोई मेल खाता टेक नहीं।',
  showAll: 'फ़िल्टर हटाएँ',
  more: 'और दिखाएँ',
  deleteAll: 'सभी मिटाएँ',
  deleteAllHint: 'बिना तारे वाले सभी टेक मिटाएँ',
  deleted: (name: string) => `मिटाया गया: ${name}`,
  deletedAll: (count: number) => plural(count, { one: '# टेक मिटाया गया।', other: '# टेक मिटाए गए।' }),
  tooLate: 'ये टेक जा चुके हैं। मिटाया गया टेक एक मिनट तक वापस लाया जा सकता है।',
  downloadAs: 'इस रूप में डाउनलोड करें…',
  downloadOf: (name: string) => `डाउनलोड करें: ${name}`,
  formats: {
    mp3: ['MP3', 'हर जगह चलता है'],
    wav: ['WAV', 'जैसा बोला गया'],
    m4a: ['M4A', 'फ़ोन और टैबलेट के लिए'],
    flac: ['FLAC', 'लॉसलेस, आधा आकार'],
    opus: ['Opus', 'सबसे छोटा'],
  },
  needsTools: 'मीडिया टूल ज़रूरी हैं। सेटअप खोलें',
  /** `cap`: takes that are kept */
  nextRemoves: (count: number, cap: number) =>
    `${grouped(cap)} टेक रखे जाते हैं। ${plural(count, { one: 'अगला टेक सबसे पुराने टेक को हटा देगा।', other: 'अगला टेक सबसे पुराने # टेक हटा देगा।' })}`,
  keeps: (cap: number) => `सबसे नए ${grouped(cap)} टेक रखे जाते हैं।`,
  keepsAll: 'सभी टेक रखे जाते हैं।',
  change: 'बदलें',
  keptNow: (takes: number, starred: number) =>
    `${plural(takes, { one: 'अभी # टेक', other: 'अभी # टेक' })}${starred > 0 ? `, ${grouped(starred)} तारांकित` : ''}।`,
  compareTakes: 'दो टेक की तुलना करें',
  compareOf: (name: string) => `तुलना करें: ${name}`,
  compareWith: 'तुलना के लिए दूसरा टेक चुनें।',
  compareEnd: 'तुलना ख़त्म करें',
}
