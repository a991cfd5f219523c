// The words of the Projects page, in Arabic.
import { plural } from '../language.ts'

export const strings = {
  find: 'البحث عن مشروع',
  kind: 'النوع',
  all: 'الكل',
  kinds: {
    ...{ project: 'مشروع', dub: 'دبلجة', audiobook: 'كتاب صوتي', story: 'قصة', speech: 'كلام', book: 'مخطوطة' },
    transcript: 'نص تفريغ',
  },
  kindIn: (kind: string, language: string) => (language ? `${kind} · \u2068${language}\u2069` : kind),
  columns: { name: 'الاسم', kind: 'النوع', state: 'الحالة', length: 'المدة', changed: 'آخر تغيير', actions: 'الإجراءات' },
  linesToDo: (lines: number) =>
    plural(lines, {
      zero: 'لا أسطر',
      one: 'سطر واحد لم يُنطق',
      two: 'سطران لم يُنطقا',
      few: '# أسطر لم تُنطق',
      many: '# سطرًا لم يُنطق',
      other: '# سطر لم يُنطق',
    }),
  linesSpoken: (lines: number) =>
    plural(lines, {
      zero: 'منطوق',
      one: 'منطوق، سطر واحد',
      two: 'منطوق، سطران',
      few: 'منطوق، # أسطر',
      many: 'منطوق، # سطرًا',
      other: 'منطوق، # سطر',
    }),
  stopped: (done: number, all: number) => `متوقف عند الفصل ${Math.min(done + 1, all)} من ${all}`,
  draft: 'مسودة',
  made: 'تم',
  transcribed: 'تم التفريغ',
  none: 'لا مشاريع بعد. تظهر هنا أعمال الدبلجة والكتب وما يُحفظ.',
  noneFound: 'لا مشروع مطابق.',
  showAll: 'مسح عوامل التصفية',
  found: (count: number) =>
    plural(count, { zero: 'لا مشاريع', one: 'مشروع واحد', two: 'مشروعان', few: '# مشاريع', many: '# مشروعًا', other: '# مشروع' }),
  more: (count: number) => `عرض ${count} أخرى`,
  rename: 'إعادة تسمية',
  duplicate: 'تكرار',
  delete: 'حذف…',
  actionsOf: (name: string) => `إجراءات \u2068${name}\u2069`,
  name: 'الاسم',
  renameTitle: 'إعادة تسمية المشروع',
  copyOf: (name: string) => `${name} (نسخة)`,
  duplicated: 'كُرّر المشروع.',
  deleteTitle: (name: string) => `حذف \u2068${name}\u2069؟`,
  deleteDub: 'سيُحذف الفيلم والأسطر واللقطات والمسارات الصوتية، ويُلغى ما يجري من عمل عليها. لا يمكن التراجع عن ذلك.',
  deleteYes: 'حذف',
  keep: 'إبقاء',
  deleted: 'حُذف.',
  projectDeleted: (name: string) => `حُذف ${name}.`,
}
