// The words of the list from which a voice is chosen, in Hindi.
import { plural } from '../language.ts'

export const strings = {
  find: 'आवाज़ खोजें',
  results: 'आवाज़ें',
  byDefault: 'डिफ़ॉल्ट',
  language: 'भाषा',
  allLanguages: 'सभी भाषाएँ',
  showAll: 'सभी दिखाएँ',
  showAllOf: (group: string) => `सभी दिखाएँ: ${group}`,
  nothing: 'इस नाम की कोई आवाज़ नहीं।',
  nothingHere: 'कोई आवाज़ यह भाषा नहीं बोलती।',
  found: (count: number) => plural(count, { one: '# आवाज़', other: '# आवाज़ें' }),
  /** Sample of a built-in voice of this language. */
  spoken: 'नमस्कार। मीनार की बत्ती जल रही है, और आख़िरी जहाज़ घर लौट आया है।',
  newVoice: 'नई आवाज़…',
  keys: { play: 'चलाता है', choose: 'चुनता है' },
  spaceKey: 'Space',
  keyHelp: 'तीर कुंजियाँ आगे-पीछे ले जाती हैं, Space सैंपल चलाता है, Enter चुनता है, Escape बंद करता है।',
  playing: (name: string) => `${name} का सैंपल चल रहा है।`,
}
