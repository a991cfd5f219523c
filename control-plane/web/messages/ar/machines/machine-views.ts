// The words of the views and dialogs that the Machines page opens, in Arabic.
import { grouped } from '../language.ts'
import { strings as shared } from '../shared.ts'

const routing = {
  title: 'مكان التشغيل',
  target: 'تشغيل العمل على',
  automatic: 'تلقائي (الأسرع)',
  unavailable: (name: string, why: string) => `\u2068${name}\u2069 (\u2068${why}\u2069)`,
  showFor: 'عرض التوجيه لـ',
  runningOn: (name: string) => `يعمل على \u2068${name}\u2069`,
  fastest: 'أسرع جهاز',
  thisMachine: 'هذا الجهاز',
  saved: 'حُفظ.',
  where: 'وجهة العمل الآن',
  operations: [
    ['', 'أي عمل'],
    ['tts', 'الكلام'],
    ['audiobook', 'الكتب الصوتية'],
    ['dub', 'الدبلجة'],
    ['clone', 'استنساخ الأصوات'],
    ['asr', 'التفريغ الصوتي'],
    ['dictation', 'الإملاء'],
    ['diarize', 'تمييز المتحدثين'],
    ['identify', 'كشف اللغة'],
    ['translate', 'الترجمة'],
  ] as [string, string][],
}

const security = {
  title: 'جهة إصدار الشهادات',
  intro: 'توقّع شهادات كل الأجهزة التي تثبت هويتها. ينبغي مقارنة بصمتها بالبصمة التي يعرضها الجهاز عند انضمامه.',
  fingerprint: 'البصمة',
  next: 'التالية',
  previous: 'السابقة',
  validUntil: 'صالحة حتى',
  phases: { steady: 'مستخدمة', prepared: 'البديلة جاهزة', activated: 'البديلة مستخدمة' },
  behind: 'ما زالت تستخدم الشهادة السابقة',
  mustJoinAgain: 'يلزمها الانضمام من جديد',
  replace: 'استبدال جهة الإصدار',
  steps: {
    prepare: 'يلزم استبدالها إذا احتُمل انكشاف مفتاحها، أو إذا اقترب انتهاء صلاحيتها. الخطوة 1 تنشئ التالية، وتعلم بها كل الأجهزة.',
    activate: 'الخطوة 2 تستخدم التالية للشهادات الجديدة. تبقى الرموز والشهادات الأقدم صالحة.',
    retire: 'الخطوة 3 تُنهي السابقة. تنتظر حتى تصير لكل جهاز شهادة جديدة.',
  },
  actions: { prepare: 'تجهيز التالية', activate: 'استخدام التالية', retire: 'إنهاء السابقة…' },
  done: {
    prepare: 'جهة الإصدار التالية جاهزة.',
    activate: 'جهة الإصدار التالية مستخدمة.',
    retire: 'أُنهيت جهة الإصدار السابقة.',
  },
  retireTitle: 'إنهاء جهة الإصدار السابقة؟',
  retireYes: 'إنهاء',
  retireWarning: 'ستتوقف شهادات الجهة السابقة ورموزها عن العمل. لا يمكن التراجع عن ذلك.',
}

const dialogs = {
  approveTitle: 'الموافقة على هذا الجهاز؟',
  approveBefore: 'بعد الموافقة على ',
  approveAfter: '، يرسل إليه الاستوديو ما تحتاج إليه مهامه:',
  sent: [
    ['النصوص', ' المراد نطقها أو ترجمتها،'],
    ['الصوتيات', ' المراد تفريغها أو معالجتها،'],
    ['الأصوات', ' المستخدمة: عيّناتها وأوصافها.'],
  ],
  destinationBefore: 'تذهب البيانات إلى ',
  destinationKey: '، إلى الجهاز ذي المفتاح ',
  destinationAfter: '. الاتصال مشفّر.',
  unknownAddress: 'عنوان يُعرف عند اتصاله',
  approveWarning: 'يستطيع مالك ذلك الجهاز قراءتها والاستماع إليها والاحتفاظ بها.',
  approveAdvice: ' لا تنبغي الموافقة على جهاز إلا إذا كان مالكه موضع ثقة.',
  approveNote: 'يمكن سحب الموافقة في أي وقت. تتوقف عندها مهامه وتُحذف بياناتها منه، أما النسخ التي أخذها المالك قبل ذلك فتبقى لديه.',
  notNow: 'ليس الآن',
  approve: 'موافقة',
  useQuestion: 'كيف سيُستخدم؟',
  uses: { automatic: 'تلقائيًا', chosen: 'عند اختياره فقط' },
  useHints: {
    automatic: 'يجري العمل على الجهاز الذي ينجزه أولًا: هذا الجهاز أو أي جهاز وافقت عليه.',
    chosen: 'لا يتغيّر شيء الآن. يمكن اختياره من «تشغيل العمل على» عند الحاجة.',
  },
  endsAutomatic: 'يجري العمل بعدها على هذا الجهاز حتى اختيار جهاز آخر من «تشغيل العمل على».',
  approved: (name: string, use: 'automatic' | 'chosen') =>
    use === 'automatic'
      ? `تمت الموافقة على \u2068${name}\u2069، ويتلقى العمل تلقائيًا.`
      : `تمت الموافقة على \u2068${name}\u2069. يمكن اختياره عند الحاجة.`,

  changeTitle: 'إعادة التسمية أو ضبط الأولوية',
  name: 'الاسم',
  nameHint: '120 حرفًا على الأكثر. إن تُرك فارغًا يُعرض المفتاح بدلًا منه.',
  priority: 'الأولوية، من 0 إلى 100',
  priorityHint: 'إذا كان جهازان سينتهيان في الوقت نفسه، يذهب العمل إلى الأعلى أولوية. القيمة الافتراضية 50.',
  saved: 'حُفظ.',

  withdrawTitle: 'سحب الموافقة؟',
  withdraw: 'سحب',
  withdrawBefore: 'يتوقف الاستوديو عن إرسال البيانات إلى ',
  withdrawAfter: '. تتوقف مهامه وتُحذف بياناتها منه، وتُنفَّذ في مكان آخر.',
  withdrawn: 'سُحبت الموافقة.',

  releaseTitle: 'رفع العزل عن هذا الجهاز؟',
  release: 'رفع العزل',
  quarantined: ' معزول:',
  alreadyReleased: 'رُفع عنه العزل من قبل.',
  releaseWarning: 'لا ينبغي رفع العزل إلا بعد التأكد من أن المفتاح لدى جهاز واحد. سيُقبل الجهاز التالي الذي يستخدم المفتاح.',
  released: 'رُفع العزل عن الجهاز.',

  removeTitle: 'إزالة هذا الجهاز؟',
  remove: shared.remove,
  removeBefore: 'سيُبطل مفتاح ',
  removeAfter: ' ويُقطع اتصال الجهاز. تُنفَّذ مهامه في مكان آخر.',
  removeWarning: 'لا يمكنه العودة بهذا المفتاح. لاستخدامه من جديد تلزم إضافته برمز جديد.',
  removed: 'أُزيل الجهاز.',

  logTitle: 'سجل هذا الجهاز',
  logNote: ': أحدث الأسطر، الأقدم أولًا. لا تظهر فيه الأسرار ولا نصوص المهام.',
  logLines: 'أسطر السجل',
  logEmpty: 'السجل فارغ.',
  refresh: 'تحديث',

  goneTitle: 'لم يعد هذا الجهاز موجودًا',
  gone: 'أُزيل، أو أُوقفت الأجهزة البعيدة.',
}

/** A pool beside the table, and in the question before its approval. */
const pool = {
  notKnown: 'غير معروف',
  readsNot: 'لا شيء، حسب المشغّل',
  keepsNothing: 'لا شيء بعد المهمة، حسب المشغّل',
  operator: 'المشغّل',
  location: 'الموقع',
  canDo: 'ما يستطيع فعله',
  canRead: 'ما يستطيع قراءته',
  keeps: 'يحتفظ بـ',
  reads: 'ما ترسله من نصوص وعيّنات وصوت',
  declared: 'هذا ما يعلنه المشغّل، ولا يستطيع الاستوديو التحقق منه.',
  share: 'حصتك',
  atOnce: 'في الوقت نفسه',
  wait: 'الانتظار عادةً',
  slots: 'الأماكن',
  you: (count: number) => `أنت ${grouped(count)}`,
  others: (count: number) => `آخرون ${grouped(count)}`,
  free: (count: number) => `شاغر ${grouped(count)}`,
  studios: (count: number) => `استوديوهات تعمل: ${grouped(count)}`,
  older: (count: number) => `إصدارات أقدم: ${grouped(count)}`,
}

export const strings = { routing, security, dialogs, pool }
