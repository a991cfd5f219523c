// The words of the list from which a voice is chosen, in Arabic.
import { plural } from '../language.ts'

export const strings = {
  find: 'البحث عن صوت',
  results: 'الأصوات',
  byDefault: 'الافتراضي',
  language: 'اللغة',
  allLanguages: 'كل اللغات',
  showAll: 'عرض الكل',
  showAllOf: (group: string) => `عرض كل \u2068${group}\u2069`,
  nothing: 'لا صوت بهذا الاسم.',
  nothingHere: 'لا صوت ينطق بهذه اللغة.',
  found: (count: number) =>
    plural(count, { zero: 'لا أصوات', one: 'صوت واحد', two: 'صوتان', few: '# أصوات', many: '# صوتًا', other: '# صوت' }),
  /** Sample of a built-in voice of this language. */
  spoken: 'مساء الخير. مصباح البرج مضاء، وآخر سفينة عادت إلى الميناء.',
  newVoice: 'صوت جديد…',
  keys: { play: 'تشغيل', choose: 'اختيار' },
  spaceKey: 'Space',
  keyHelp: 'مفاتيح الأسهم للتنقّل، وSpace لتشغيل عيّنة، وEnter للاختيار، وEscape للإغلاق.',
  playing: (name: string) => `جارٍ تشغيل عيّنة من \u2068${name}\u2069.`,
}
