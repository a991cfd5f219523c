// The words of the Files page, in Arabic.
import { plural } from '../language.ts'

export const strings = {
  find: 'البحث عن ملف',
  kind: 'النوع',
  all: 'الكل',
  kinds: { take: 'لقطة', book: 'كتاب صوتي', dub: 'دبلجة', transcript: 'نص تفريغ' },
  columns: { name: 'الاسم', kind: 'النوع', voice: 'أُنشئ بواسطة', length: 'المدة', size: 'الحجم', made: 'الإنشاء', actions: 'الإجراءات' },
  removed: 'أُزيل',
  none: 'لا ملفات بعد. تظهر هنا اللقطات والكتب المنتهية وأعمال الدبلجة ونصوص التفريغ.',
  noneFound: 'لا ملف مطابق.',
  showAll: 'مسح عوامل التصفية',
  foundSoFar: (count: number) =>
    plural(count, {
      zero: 'لا ملفات حتى الآن',
      one: 'ملف واحد حتى الآن',
      two: 'ملفان حتى الآن',
      few: '# ملفات حتى الآن',
      many: '# ملفًا حتى الآن',
      other: '# ملف حتى الآن',
    }),
  found: (count: number) =>
    plural(count, { zero: 'لا ملفات', one: 'ملف واحد', two: 'ملفان', few: '# ملفات', many: '# ملفًا', other: '# ملف' }),
  more: (count: number) => `عرض ${count} أخرى`,
  chapters: (chapters: number) =>
    plural(chapters, { zero: 'لا فصول', one: 'فصل واحد', two: 'فصلان', few: '# فصول', many: '# فصلًا', other: '# فصل' }),
  downloadOf: (name: string) => `تنزيل \u2068${name}\u2069`,
  deleteOf: (name: string) => `حذف \u2068${name}\u2069`,
  deleteTitle: (name: string) => `حذف \u2068${name}\u2069؟`,
  deleteHints: {
    book: 'سيُحذف الكتاب وملفاته. لا يمكن التراجع عن ذلك.',
    dub: 'ستُحذف الدبلجة مع فيلمها وأسطرها ومساراتها الصوتية. لا يمكن التراجع عن ذلك.',
  },
  deleteYes: 'حذف',
  keep: 'إبقاء',
  deleted: 'حُذف.',
}
