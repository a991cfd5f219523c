// The words of the Jobs page, in Arabic.
import { strings as frame } from '../frame.ts'
import { grouped, plural } from '../language.ts'

const tasks = (count: number) =>
  plural(count, { zero: 'لا مهام', one: 'مهمة واحدة', two: 'مهمتان', few: '# مهام', many: '# مهمة', other: '# مهمة' })
/** After a preposition. */
const ofTasks = (count: number) =>
  plural(count, { zero: '# مهمة', one: 'مهمة واحدة', two: 'مهمتين', few: '# مهام', many: '# مهمة', other: '# مهمة' })

export const strings = {
  tasks: 'المهام',
  work: 'على الأجهزة',
  views: 'طرق العرض',
  statuses: { all: 'الكل', active: 'نشطة', done: 'تمت', failed: 'تعذّر إكمالها', cancelled: 'ملغاة' } satisfies Readonly<
    Record<string, string>
  >,
  jobStates: { pending: 'في الانتظار', running: 'قيد التنفيذ', done: 'تم', failed: 'تعذّر الإكمال', cancelled: 'أُلغي' },
  jobColumns: { job: 'المهمة', state: 'الحالة', progress: 'التقدّم', when: 'الوقت' },
  jobKind: frame.kind,
  kind: 'النوع',
  allKinds: 'كل الأنواع',
  findJob: 'البحث عن مهمة',
  found: (count: number) => tasks(count),
  showAll: 'عرض كل المهام',
  noJobs: 'لا شيء قيد التشغيل. يظهر هنا ما يجري إنشاؤه.',
  noReason: 'انتهت دون ذكر سبب.',
  took: (time: string) => `استغرقت ${time}`,
  step: (at: number, of: number) => `الخطوة ${at} من ${of}`,
  backToJobs: 'كل المهام',
  openResult: 'فتح',
  copyDetails: 'نسخ التفاصيل',
  copied: 'نُسخت التفاصيل.',
  times: 'الأوقات',
  begun: 'البدء',
  endedAt: 'الانتهاء',
  events: (count: number) => `أحدث الأحداث (${count})`,
  show: 'عرض',
  groups: { all: 'الكل', waiting: 'في الانتظار', running: 'قيد التنفيذ', done: 'تمت', failed: 'فاشلة أو ملغاة' },
  find: 'بحث',
  findExample: 'محرك أو جهاز أو خطأ أو معرّف',
  status: (waiting: number, count: string) => `في الانتظار: ${waiting}. ${count}`,
  count: (count: number, isSearch: boolean, isComplete: boolean) =>
    `${isSearch ? `عُثر على ${ofTasks(count)}` : tasks(count)}${isComplete ? '.' : '، وهناك أقدم.'}`,
  none: 'لا مهام بعد. يظهر هنا ما يجري إنشاؤه.',
  noneFound: 'لا مهام مطابقة.',
  showOlder: 'عرض مهام أقدم',
  searchOlder: 'البحث في مهام أقدم',
  refusedBefore: 'لا تستطيع هذه الصفحة متابعة التغييرات: ',
  refusedAfter: ' تُحدَّث من حين إلى آخر، وتعيد المحاولة من تلقاء نفسها.',
  readError: 'تعذّر تحميل المهام: ',

  states: {
    queued: 'في الانتظار',
    assigned: 'معروضة على جهاز',
    accepted: 'مقبولة',
    model_loading: 'تحميل النموذج',
    running: 'قيد التنفيذ',
    result_uploading: 'تسليم الناتج',
    completed: 'تمت',
    failed: 'فشلت',
    timeout: 'انتهت مهلتها',
    cancelled: 'ملغاة',
  },
  attemptStates: {
    assigned: 'معروضة',
    accepted: 'مقبولة',
    running: 'قيد التنفيذ',
    uploading: 'تسليم الناتج',
    committed: 'تمت',
    rejected: 'مرفوضة',
    failed: 'فشلت',
    timed_out: 'انتهت مهلتها',
    cancelled: 'ملغاة',
    lost: 'انقطع الاتصال',
  } satisfies Readonly<Record<string, string>>,
  operations: {
    ...{ tts: 'كلام', asr: 'تفريغ صوتي', translate: 'ترجمة', separate: 'فصل الأصوات', denoise: 'إزالة الضجيج' },
    ...{ vad: 'كشف الكلام', align: 'توقيت الكلمات', diarize: 'تمييز المتحدثين', identify: 'كشف اللغة' },
    ...{ verify: 'فحص نموذج', probe: 'اختبار' },
  } satisfies Readonly<Record<string, string>>,
  title: (operation: string, engine: string, model: string) =>
    `${operation} بواسطة \u2068${engine}\u2069${model && ` (\u2068${model}\u2069)`}`,
  lowPriority: 'أولوية منخفضة',
  cancelTask: (title: string, started: string) => `إلغاء \u2068${title}\u2069، بدأت ${started}`,
  cancelTitle: 'إلغاء هذه المهمة؟',
  cancelAction: 'إلغاء المهمة',
  cancelKeep: 'متابعة التنفيذ',
  cancelWarning: 'سيُتجاهل ما ولّدته حتى الآن.',
  cancelling: 'جارٍ إلغاء المهمة.',
  thisMachine: 'هذا الجهاز',
  on: (machine: string) => `على \u2068${machine}\u2069`,
  progress: (title: string, percent: string) => `\u2068${title}\u2069: ${percent}`,
  ended: (finished: string, took: string) => `${finished}، استغرقت ${took}`,
  unknownEnd: 'الوقت المتبقي غير معروف',
  almostDone: 'أوشكت على الانتهاء',
  timeLeft: (time: string) => `بقي ${time}`,
  waitingBecause: 'سبب الانتظار:',
  aboutToStart: 'ستُعرض على جهاز بعد لحظات.',
  /** `more`: machines that are not named; none below 1 */
  because: (machines: string, more: number, reason: string) =>
    `${machines}${more > 0 ? ` و${grouped(more)} غيرها` : ''}: \u2068${reason}\u2069`,

  attempts: (count: number, limit: number, failed: number) =>
    `المحاولة ${count} من ${limit}${failed > 0 ? `، الفاشلة منها: ${failed}` : ''}`,
  taskId: 'المهمة ',
  reached: (percent: string) => ` عند ${percent}`,
  details: 'التفاصيل',
  errorCode: (code: string, kind: string) => `\u2068${code}\u2069، الفئة \u2068${kind}\u2069`,
  retryable: 'قد تنجح محاولة جديدة.',
  final: 'لن تفيد محاولة جديدة.',
  whatToDo: (hint: string) => `الحل: \u2068${hint}\u2069`,

  activity: 'النشاط',
  finishedPerMinute: 'المنتهية في الدقيقة',
  finished: 'المنتهية',
  time: 'الوقت',
  peakWaiting: 'ذروة الانتظار',
  summary: (minutes: number, done: number, failed: number, waiting: number) =>
    `${plural(minutes, {
      zero: 'الآن',
      one: 'الدقيقة الأخيرة',
      two: 'الدقيقتان الأخيرتان',
      few: 'آخر # دقائق',
      many: 'آخر # دقيقة',
      other: 'آخر # دقيقة',
    })}: تمت ${grouped(done)}، وفشلت أو أُلغيت ${grouped(failed)}، وذروة الانتظار ${waiting}.`,
  asTable: 'عرض كجدول',
  table: 'النشاط في جدول',
  columns: ['الدقيقة', 'تمت', 'فاشلة أو ملغاة', 'ذروة الانتظار'],
}
