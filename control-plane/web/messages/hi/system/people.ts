// The words of People and keys, in Hindi.
import { plural } from '../language.ts'

export const strings = {
  invite: 'नया व्यक्ति',
  createKey: 'नई कुंजी',
  tabs: { all: 'सभी', person: 'लोग', program: 'प्रोग्राम', ended: 'समाप्त' },
  columns: { name: 'नाम', used: 'इस महीने का इस्तेमाल', may: 'अधिकार', last: 'पिछला इस्तेमाल', ends: 'समाप्ति' },
  you: 'आप',
  owner: 'मालिक',
  kinds: { person: 'व्यक्ति', program: 'प्रोग्राम' },
  keyCount: (count: number) => plural(count, { one: '# कुंजी', other: '# कुंजी' }),
  none: '—',
  usageFile: 'CSV',

  hours: (count: string) => `${count} घं॰`,
  ofLimit: (used: string, limit: string) => `${used} / ${limit}`,
  unlimited: (used: string) => `${used} / ∞`,
  nothing: '—',
  never: 'कभी नहीं',

  for: 'लिए',
  roleHints: {
    listen: 'सुनना, डाउनलोड',
    create: 'अपना काम',
    operate: 'मशीनें, मॉडल, सेटिंग',
    own: 'सब कुछ',
  },
  on: 'मशीनें',
  sound: 'आवाज़ / दिन',
  gpu: 'GPU / महीना',
  tasks: 'एक साथ कार्य',
  disk: 'डिस्क',
  noLimit: 'कोई सीमा नहीं',
  inDays: (days: number) => plural(days, { one: '# दिन', other: '# दिन' }),
  once: 'कुंजी एक बार दिखेगी।',
  invitation: (address: string, key: string) => `${address}\n${key}`,

  keys: 'कुंजियाँ',
  firstKey: 'कुंजी',
  created: 'बनी',
  fact: (name: string, value: string) => `${name}: ${value}`,
  replace: 'बदलें',
  oldEnds: 'पुरानी कुंजी',
  /** By seconds. */
  oldEndings: { 0: 'तुरंत', 86400: '24 घं॰', 604800: '7 दिन' },
  endKeyYes: 'समाप्त करें',
  taskCount: (count: number) => plural(count, { one: '# कार्य', other: '# कार्य' }),
  ofSound: (time: string) => `${time} आवाज़`,
  ofGpu: (time: string) => `GPU पर ${time}`,
  endText: 'साइन इन तुरंत समाप्त होंगे। काम बना रहेगा।',
  endYes: 'समाप्त करें',
}
