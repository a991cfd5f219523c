// The words of People and keys, in Arabic.
import { plural } from '../language.ts'

export const strings = {
  invite: 'دعوة شخص',
  createKey: 'إنشاء مفتاح',
  tabs: { all: 'الكل', person: 'الأشخاص', program: 'البرامج', ended: 'المنتهية' },
  columns: { name: 'الاسم', used: 'استُخدم هذا الشهر', may: 'الصلاحية', last: 'آخر استخدام', ends: 'الانتهاء' },
  you: 'أنت',
  owner: 'مالك الاستوديو',
  kinds: { person: 'شخص', program: 'برنامج' },
  keyCount: (count: number) =>
    plural(count, { zero: 'لا مفاتيح', one: 'مفتاح واحد', two: 'مفتاحان', few: '# مفاتيح', many: '# مفتاحًا', other: '# مفتاح' }),
  none: 'لا شيء.',
  usageFile: 'الاستخدام بصيغة CSV',

  hours: (count: string) => `${count}\u00a0س`,
  ofLimit: (used: string, limit: string) => `${used} / ${limit}`,
  unlimited: (used: string) => `${used}، بلا حد`,
  nothing: '—',
  never: 'أبدًا',

  for: 'لـ',
  roleHints: {
    listen: 'تشغيل ما في المكتبة وتنزيله',
    create: 'نطق وتفريغ صوتي ودبلجة. يرى عمله فقط، بلا إعدادات',
    operate: 'كل شيء عدا المفاتيح: الأجهزة والنماذج والإعدادات',
    own: 'كل شيء، مع المفاتيح وأعمال الجميع',
  },
  on: 'على',
  sound: 'الصوت في اليوم',
  gpu: 'وقت GPU في الشهر',
  tasks: 'المهام في وقت واحد',
  disk: 'القرص',
  noLimit: 'بلا حد',
  inDays: (days: number) =>
    plural(days, { zero: 'اليوم', one: 'بعد يوم واحد', two: 'بعد يومين', few: 'بعد # أيام', many: 'بعد # يومًا', other: 'بعد # يوم' }),
  once: 'سيظهر المفتاح مرة واحدة.',
  onlyHere: 'يعمل هذا العنوان على هذا الجهاز فقط.',
  invitation: (address: string, key: string) => `افتح \u2068${address}\u2069 وسجّل الدخول بهذا المفتاح:\n${key}`,

  email: 'البريد الإلكتروني لتسجيل الدخول',
  keys: 'المفاتيح',
  firstKey: 'مفتاح',
  created: 'الإنشاء',
  fact: (name: string, value: string) => `${name}: \u2068${value}\u2069`,
  replace: 'استبدال',
  oldEnds: 'انتهاء المفتاح القديم',
  /** By seconds. */
  oldEndings: { 0: 'فورًا', 86400: 'بعد 24 ساعة', 604800: 'بعد 7 أيام' },
  endKeyYes: 'إنهاء المفتاح',
  taskCount: (count: number) =>
    plural(count, { zero: 'لا مهام', one: 'مهمة واحدة', two: 'مهمتان', few: '# مهام', many: '# مهمة', other: '# مهمة' }),
  ofSound: (time: string) => `صوت مدته \u2068${time}\u2069`,
  ofGpu: (time: string) => `\u2068${time}\u2069 على وحدة GPU`,
  endText: 'تنتهي الجلسات فورًا. يبقى ما أُنشئ.',
  endYes: 'إنهاء الوصول',
}
