// The words of People and keys, in Hindi.
import { plural } from '../language.ts'

export const strings = {
  invite: 'किसी व्यक्ति को बुलाएँ',
  createKey: 'कुंजी बनाएँ',
  tabs: { all: 'सभी', person: 'लोग', program: 'प्रोग्राम', ended: 'समाप्त' },
  columns: { name: 'नाम', used: 'इस महीने का इस्तेमाल', may: 'अधिकार', last: 'पिछला इस्तेमाल', ends: 'समाप्ति' },
  you: 'आप',
  owner: 'स्टूडियो का मालिक',
  kinds: { person: 'व्यक्ति', program: 'प्रोग्राम' },
  keyCount: (count: number) => plural(count, { one: '# कुंजी', other: '# कुंजी' }),
  none: 'कोई नहीं।',
  usageFile: 'CSV में इस्तेमाल',

  hours: (count: string) => `${count} घं॰`,
  ofLimit: (used: string, limit: string) => `${used} / ${limit}`,
  unlimited: (used: string) => `${used}, कोई सीमा नहीं`,
  nothing: '—',
  never: 'कभी नहीं',

  for: 'किसके लिए',
  roleHints: {
    listen: 'लाइब्रेरी की फ़ाइलें चलाना और डाउनलोड करना',
    create: 'स्पीच, ट्रांसक्रिप्शन, डबिंग। सिर्फ़ अपना काम दिखता है, सेटिंग नहीं',
    operate: 'कुंजियों के अलावा सब कुछ: मशीनें, मॉडल, सेटिंग',
    own: 'सब कुछ, कुंजियाँ और सबका काम भी',
  },
  on: 'मशीनें',
  sound: 'एक दिन में आवाज़',
  gpu: 'एक महीने में GPU का समय',
  tasks: 'एक साथ कार्य',
  disk: 'डिस्क',
  noLimit: 'कोई सीमा नहीं',
  inDays: (days: number) => plural(days, { one: '# दिन में', other: '# दिन में' }),
  once: 'कुंजी सिर्फ़ एक बार दिखेगी।',
  onlyHere: 'यह पता सिर्फ़ इसी मशीन पर चलता है।',
  invitation: (address: string, key: string) => `${address} खोलें और इस कुंजी से साइन इन करें:\n${key}`,

  keys: 'कुंजियाँ',
  firstKey: 'कुंजी',
  created: 'बनी',
  fact: (name: string, value: string) => `${name}: ${value}`,
  replace: 'बदलें',
  oldEnds: 'पुरानी कुंजी समाप्त होगी',
  /** By seconds. */
  oldEndings: { 0: 'तुरंत', 86400: '24 घंटे में', 604800: '7 दिन में' },
  endKeyYes: 'कुंजी समाप्त करें',
  taskCount: (count: number) => plural(count, { one: '# कार्य', other: '# कार्य' }),
  ofSound: (time: string) => `${time} आवाज़`,
  ofGpu: (time: string) => `GPU पर ${time}`,
  endText: 'साइन इन तुरंत समाप्त होंगे। काम बना रहेगा।',
  endYes: 'पहुँच समाप्त करें',
}
