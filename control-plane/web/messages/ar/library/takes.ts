// The words about takes that Speak, Files, Settings and the palette share, in Arabic.
import { grouped, plural } from '../language.ts'

export const strings = {
  count: (takes: number) => grouped(takes),
  find: 'البحث في اللقطات',
  from: 'اللقطات المعروضة',
  all: 'الكل',
  starred: 'المميّزة بنجمة',
  noneFound: 'لا لقطة مطابقة.',
  showAll: 'مسح عوامل التصفية',
  more: 'عرض المزيد',
  deleteAll: 'حذف الكل',
  deleteAllHint: 'حذف كل اللقطات غير المميّزة بنجمة',
  deleted: (name: string) => `حُذف: \u2068${name}\u2069`,
  deletedAll: (count: number) =>
    plural(count, {
      zero: 'لم تُحذف أي لقطة.',
      one: 'حُذفت لقطة واحدة.',
      two: 'حُذفت لقطتان.',
      few: 'حُذفت # لقطات.',
      many: 'حُذفت # لقطة.',
      other: 'حُذفت # لقطة.',
    }),
  tooLate: 'لم تعد هذه اللقطات موجودة. يمكن استعادة اللقطة المحذوفة خلال دقيقة.',
  downloadAs: 'تنزيل بصيغة…',
  downloadOf: (name: string) => `تنزيل: \u2068${name}\u2069`,
  formats: {
    mp3: ['MP3', 'يعمل في كل مكان'],
    wav: ['WAV', 'كما نُطق'],
    m4a: ['M4A', 'للهواتف والأجهزة اللوحية'],
    flac: ['FLAC', 'دون فقدان، بنصف الحجم'],
    opus: ['Opus', 'الأصغر'],
  },
  needsTools: 'يتطلب أدوات الوسائط. فتح التهيئة',
  /** `cap`: takes that are kept */
  nextRemoves: (count: number, cap: number) =>
    `عدد ما يُحتفظ به ${grouped(cap)}. ${plural(count, {
      zero: 'اللقطة التالية لا تزيل شيئًا.',
      one: 'اللقطة التالية تزيل أقدم لقطة.',
      two: 'اللقطة التالية تزيل أقدم لقطتين.',
      few: 'اللقطة التالية تزيل أقدم # لقطات.',
      many: 'اللقطة التالية تزيل أقدم # لقطة.',
      other: 'اللقطة التالية تزيل أقدم # لقطة.',
    })}`,
  keeps: (cap: number) => `يُحتفظ بأحدث اللقطات، وعددها ${grouped(cap)}.`,
  keepsAll: 'يُحتفظ بها كلها.',
  change: 'تغيير',
  keptNow: (takes: number, starred: number) =>
    `${plural(takes, {
      zero: 'لا لقطات الآن',
      one: 'لقطة واحدة الآن',
      two: 'لقطتان الآن',
      few: '# لقطات الآن',
      many: '# لقطة الآن',
      other: '# لقطة الآن',
    })}${starred > 0 ? `، المميّز منها بنجمة: ${grouped(starred)}` : ''}.`,
  compareTakes: 'مقارنة لقطتين',
  compareOf: (name: string) => `مقارنة: \u2068${name}\u2069`,
  compareWith: 'يلزم اختيار لقطة ثانية للمقارنة بها.',
  compareEnd: 'إنهاء المقارنة',
}
