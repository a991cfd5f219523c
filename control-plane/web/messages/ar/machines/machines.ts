// The words of the Machines page, in Arabic: the table and the machine beside it.
import { grouped, plural } from '../language.ts'
import { strings as shared } from '../shared.ts'

const tasks = (count: number) =>
  plural(count, { zero: 'لا مهام', one: 'مهمة واحدة', two: 'مهمتان', few: '# مهام', many: '# مهمة', other: '# مهمة' })
/** After a preposition. */
const ofTasks = (count: number) =>
  plural(count, { zero: '# مهمة', one: 'مهمة واحدة', two: 'مهمتين', few: '# مهام', many: '# مهمة', other: '# مهمة' })

const machines = (online: number, all: number) => {
  if (all === 0) return 'لا أجهزة أخرى بعد'
  if (all === 1) return online === 1 ? 'جهاز واحد، متصل' : 'جهاز واحد، غير متصل'
  if (online === 0) return `كل الأجهزة غير متصلة (${grouped(all)})`
  return online === all ? `كل الأجهزة متصلة (${grouped(all)})` : `الأجهزة المتصلة: ${grouped(online)} من ${grouped(all)}`
}

const page = {
  machines: 'الأجهزة',
  views: 'طرق العرض',
  tabs: { '': 'المستعارة', shared: 'المشترَكة مني', routing: 'التوجيه', security: 'الأمان' },
  remote: (isOn: boolean) => `الأجهزة البعيدة: ${isOn ? 'مفعّلة' : 'متوقفة'}`,
  turnOn: 'تفعيل الأجهزة البعيدة',
  turnOff: 'إيقاف…',
  turnOffTitle: 'إيقاف الأجهزة البعيدة؟',
  turnOffYes: 'إيقاف',
  turnOffWarning: 'سيُقطع اتصال كل الأجهزة ويُغلق المنفذ وتتوقف مهامها. تبقى الأجهزة منضمّة، وتعود عند التفعيل من جديد.',
  turnedOn: 'الأجهزة البعيدة مفعّلة.',
  turnedOff: 'الأجهزة البعيدة متوقفة.',
  offNote: 'ما دام هذا متوقفًا، يبقى كل العمل على هذا الجهاز ولا يمكن لأي جهاز الانضمام.',
  startError: (reason: string) => `تعذّر تفعيل الأجهزة البعيدة: \u2068${reason}\u2069`,
  joinAt: 'تنضمّ الأجهزة على العنوان ',
  counts: (online: number, all: number, running: number, waiting: number) =>
    [machines(online, all), running > 0 && `قيد التنفيذ: ${tasks(running)}`, waiting > 0 && `في الانتظار: ${tasks(waiting)}`]
      .filter(Boolean)
      .join(' · '),
  add: 'إضافة جهاز…',
  connect: 'اتصال بسلسلة…',
  routingNote: '«مكان التشغيل: تلقائي» يختار الجهاز الذي سينتهي أولًا. ',
  routingLink: 'عرض مكان تشغيل كل نوع من العمل',
}

const list = {
  find: 'البحث عن جهاز',
  findExample: 'اسم أو معالج أو عنوان',
  state: 'الحالة',
  all: (count: number) => `الكل (${grouped(count)})`,
  stateCount: (state: string, count: number) => `${state} (${grouped(count)})`,
  shown: (found: number, all: number) =>
    found === all
      ? plural(all, { zero: 'لا أجهزة', one: 'جهاز واحد', two: 'جهازان', few: '# أجهزة', many: '# جهازًا', other: '# جهاز' })
      : `الأجهزة: ${grouped(found)} من ${grouped(all)}`,
  showAll: 'عرض الكل',
  empty: 'هذا الجهاز فقط حتى الآن. تسرّع إضافة جهاز فيه GPU النطقَ.',
  noneFound: 'لا أجهزة مطابقة.',
}

const states = {
  ready: 'جاهز',
  busy: 'مشغول',
  draining: 'إيقاف تدريجي',
  paused: 'متوقف مؤقتًا',
  unapproved: 'بحاجة إلى موافقة',
  off: 'أُوقف',
  offline: 'غير متصل',
  unresponsive: 'لا يستجيب',
  quarantined: 'معزول',
}

const table = {
  pool: (count: number) => `مجموعة أجهزة: ${grouped(count)}`,
  columns: {
    machine: 'الجهاز',
    state: 'الحالة',
    use: 'استخدامه للعمل',
    memory: 'ذاكرة GPU',
    loaded: 'المحمَّل',
    latency: 'زمن الاستجابة',
    actions: 'الإجراء',
  },
  none: '—',
  working: (count: number) => `يعمل على ${ofTasks(count)}`,
  memoryUse: (used: string, all: string) => `${used} من ${all}`,
  memoryOf: (use: string) => `ذاكرة GPU: ${use}`,
  noGpu: 'بلا GPU',
  loaded: (names: string, more: number) => (more > 0 ? `${names} \u2068+${more}\u2069` : names),
}

const use = {
  names: { preferred: 'مفضّل', automatic: 'تلقائي', low: 'أولوية منخفضة', never: 'أبدًا' },
  other: (priority: string) => `الأولوية ${priority}`,
  label: (name: string) => `استخدامه للعمل: \u2068${name}\u2069`,
  notYet: 'لا يُرسل إليه شيء بعد',
  saved: (name: string) => `حُفظ للجهاز \u2068${name}\u2069.`,
}

const card = {
  states,
  back: 'كل الأجهزة',
  facts: 'التفاصيل',
  address: 'العنوان',
  key: 'المفتاح',
  reasonsLabel: 'سبب عدم تلقيه عملًا',
  device: 'وحدة المعالجة',
  memory: 'الذاكرة',
  system: 'النظام',
  version: 'إصدار Voice Studio',
  outdated: (version: string) => `${version}، أقدم من هذا الاستوديو. حدّثه على ذلك الجهاز.`,
  models: 'النماذج المحمَّلة',
  none: 'لا شيء',
  runsNow: 'قيد التنفيذ',
  idle: 'خامل',
  latency: 'زمن الاستجابة',
  ms: (ms: number) => `${ms}\u00a0م.ث`,
  lastSeen: 'آخر ظهور',
  now: 'الآن',
  priority: 'الأولوية',
  priorityOf: (priority: number) => (priority === 50 ? 'عادية' : `${priority > 50 ? 'عالية' : 'منخفضة'} (${priority})`),
  unknown: 'غير معروف',
  cpuOnly: (count: number) =>
    plural(count, {
      zero: 'معالج، بلا GPU',
      one: 'معالج، نواة واحدة، بلا GPU',
      two: 'معالج، نواتان، بلا GPU',
      few: 'معالج، # أنوية، بلا GPU',
      many: 'معالج، # نواة، بلا GPU',
      other: 'معالج، # نواة، بلا GPU',
    }),
  gpu: (model: string, backend: string) => `\u2068${model}\u2069 (\u2068${backend}\u2069)`,
  unusableGpu: (model: string, reason: string) => `\u2068${model}\u2069 (موجود وغير قابل للاستخدام، والسبب: \u2068${reason}\u2069)`,
  gpuMemory: (free: string, all: string) => `الحر من ذاكرة GPU: ${free} من ${all}`,
  systemMemory: (size: string) => `الذاكرة: ${size}`,
  work: (engine: string, operation: string, stage: string) => `${work[operation] ?? operation} بواسطة \u2068${engine}\u2069، ${stage}`,
  stages: { assigned: 'معروضة على الجهاز', accepted: 'مقبولة', model_loading: 'تحميل النموذج', result_uploading: 'تسليم الناتج' },

  resume: 'استئناف',
  approve: 'موافقة',
  release: 'رفع العزل',
  log: 'السجل',
  takeWork: 'إلغاء الإيقاف التدريجي',
  turnOn: 'تفعيل',
  turnOff: 'إيقاف',
  menu: 'إجراءات أخرى',
  rename: 'إعادة التسمية أو ضبط الأولوية',
  drain: 'إيقاف تدريجي',
  drainHint: 'الإيقاف التدريجي: يُنهي الجهاز مهامه ولا يستقبل مهام جديدة.',
  withdraw: 'سحب الموافقة',
  remove: shared.remove,
  actionFor: (action: string, name: string) => `${action}: \u2068${name}\u2069`,
  resumed: (name: string) => `عاد \u2068${name}\u2069 يتلقى العمل.`,
  notResumed: (name: string, why: string) => `ما زال \u2068${name}\u2069 لا يتلقى عملًا. ${why}`,
  draining: (name: string) => `يُنهي \u2068${name}\u2069 مهامه ولا يستقبل مهام جديدة.`,
  turnedOn: (name: string) => `فُعّل \u2068${name}\u2069.`,
  turnedOff: (name: string) => `أُوقف \u2068${name}\u2069.`,
}

const reasons = {
  quarantined: (why: string) => `معزول: \u2068${why}\u2069. لا يُرسل إليه شيء حتى ترفع عنه العزل.`,
  unapproved: 'لا يُرسل إليه شيء قبل موافقتك.',
  /** Differences from what was approved. */
  lapsed: {
    pool: 'أصبح مجموعة أجهزة.',
    machine: 'لم يعد مجموعة أجهزة.',
    operator: (name: string) => `مشغّله الآن ${name}.`,
    places: (names: string) => `أجهزته الآن في ${names}.`,
    reads: 'يستطيع مشغّله الآن قراءة ما يُرسل.',
    readsNot: 'يقول مشغّله إنه لم يعد يقرأ ما يُرسل.',
  },
  off: 'أُوقف بطلب منك. يذهب عمله إلى أجهزة أخرى.',
  notReached: (why: string) => `غير متصل. ${why ? `\u2068${why}\u2069` : 'يواصل الاستوديو محاولة الاتصال.'}`,
  neverConnected: (name: string) => `لم يتصل ${name} بعد. يشغّل مالكه Voice Studio عليه.`,
  offline: (name: string) => `${name} متوقف أو غير متصل. يشغّل مالكه Voice Studio عليه.`,
  unresponsive: 'متصل ولا يستجيب. ينبغي فحص سجله.',
  drained: (count: number) =>
    count > 0 ? `إيقاف تدريجي: يُنهي العمل على ${ofTasks(count)} ولا يتلقى مهام جديدة.` : 'اكتمل الإيقاف التدريجي: لا يتلقى مهام جديدة.',
  ending: (count: number) => `يُنهي مالكه تشغيله: ${count > 0 ? `يُنهي العمل على ${ofTasks(count)} و` : ''}لا يستقبل مهام جديدة.`,
  breaker: (model: string, summary: string) => `\u2068${model}\u2069: \u2068${summary}\u2069.`,
  lastConnected: (ago: string) => `آخر اتصال: ${ago}.`,
  nextTry: (time: string) => `المحاولة التالية بعد ${time}.`,
  nextTrySoon: 'المحاولة التالية بعد لحظات.',
  allSlots: 'كل الأماكن مشغولة.',
  waits: (count: number, why: string) => `لا يمكن تشغيل ${ofTasks(count)} عليه: ${why}.`,
  /** Reasons of the scheduler that need more context here. */
}

const work: Readonly<Record<string, string>> = {
  tts: 'كلام',
  asr: 'تفريغ صوتي',
  clean: 'إزالة الضجيج',
  translate: 'ترجمة',
  separate: 'فصل الأصوات',
}

export const strings = { page, list, table, use, card, reasons }
