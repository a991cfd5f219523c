// The words of the sections that connect machines, in Arabic: add, connect, share and lend.

import { COMMAND } from '#control-plane/web/lib/names.ts'
import { plural } from '../language.ts'
import { strings as shared } from '../shared.ts'

const add = {
  title: 'إضافة جهاز',
  intro: 'يتصل الجهاز الآخر بهذا الاستوديو برمز يعمل مرة واحدة، ولا يحتاج إلى منفذ مفتوح.',
  name: 'اسم الجهاز',
  nameHint: 'الاسم الظاهر هنا. يمكن تغييره لاحقًا.',
  address: 'عنوان هذا الاستوديو',
  detected: (endpoint: string) => `\u2068${endpoint}\u2069 (مكتشف)`,
  fromPage: (host: string) => `\u2068${host}\u2069 (عنوان هذه الصفحة)`,
  other: 'عنوان آخر…',
  otherLabel: 'عنوان آخر',
  otherHint: '\u2068HOST\u2069 أو \u2068HOST:PORT\u2069، كعنوان موجّه يمرّر المنفذ.',
  validFor: 'مدة الصلاحية',
  times: [
    [300, '5 دقائق'],
    [900, '15 دقيقة'],
    [3600, 'ساعة واحدة'],
    [86_400, 'يوم واحد'],
  ] as [number, string][],
  create: 'إنشاء رمز',
  createAnother: 'إنشاء رمز آخر',
  code: 'رمز الانضمام',
  codeBefore: 'يعمل الرمز مرة واحدة ويتصل بالعنوان ',
  codeTime: '. الوقت المتبقي: ',
  expired: 'لا شيء، انتهت صلاحيته',
  onOther: 'على الجهاز الآخر',
  ways: {
    npx: 'باستخدام Node 22.18 أو أحدث:',
    container: 'في حاوية:',
    files: 'في مجلد يحتوي على الملفات المحزومة:',
    checkout: 'في نسخة من المستودع:',
  } as Record<string, string>,
  thenLends: 'ينضم الجهاز ثم يعمل دون طرفية مفتوحة. وإن تعذّر ذلك، يوضح الأمر كيفية تشغيله.',
  sameLines: 'ويعرض الأسطر نفسها الأمر',
  waiting: 'في انتظار الجهاز. يظهر هنا بعد انضمامه.',
  codeExpired: 'انتهت صلاحية الرمز.',
  joined: (isConnected: boolean) => (isConnected ? ' انضمّ واتصل.' : ` انضمّ. يتصل عند تشغيل وكيله: \u2068${COMMAND} agent\u2069`),
  approved: 'تمت الموافقة عليه.',
  notApproved: 'لا يُرسل إليه شيء قبل موافقتك.',
  approve: 'موافقة…',
}

const secret = {
  copy: 'نسخ',
  copied: 'نُسخ.',
  selected: 'حُدّد النص. يمكن نسخه بلوحة المفاتيح.',
  once: 'لن يظهر هذا مرة أخرى.',
  qr: (label: string) => `${label} كرمز QR`,
}

const connect = {
  title: 'الاتصال بجهاز GPU',
  intro: `لجهاز يقبل الاتصالات. ينشئ مالكه سلسلة اتصال لك من صفحة الأجهزة لديه، أو بالأمر \u2068${COMMAND} agent keys add\u2069.`,
  remoteOff: 'يلزم تفعيل الأجهزة البعيدة أولًا.',
  string: 'سلسلة الاتصال',
  stringHint: 'ينبغي إبقاؤها سرّية. تخصّ أول استوديو يستخدمها.',
  connect: 'اتصال',
  connecting: (endpoint: string) => `جارٍ الاتصال بالعنوان \u2068${endpoint}\u2069.`,
  connections: 'الاتصالات',
  connected: 'متصل',
  notConnected: 'غير متصل',
  remove: shared.remove,
  removeOne: (endpoint: string) => `إزالة الاتصال بالعنوان \u2068${endpoint}\u2069`,
  removeTitle: 'إزالة هذا الاتصال؟',
  removeWarning: 'يقطع الاستوديو اتصاله به ويزيل الجهاز. لاستخدامه من جديد تلزم سلسلة اتصال جديدة.',
  removed: 'أُزيل الاتصال.',
}

const share = {
  title: 'مشاركة هذا الجهاز',
  intro: 'تتصل استوديوهات أخرى بهذا الجهاز وتستخدم GPU فيه. لكل شخص مفتاح.',
  on: 'مفعّلة',
  off: 'متوقفة',
  listeningOn: 'يستقبل الاتصالات على ',
  reach: (isExposed: boolean) =>
    isExposed ? '. يمكن لأجهزة أخرى الوصول إليه، ولا يُسمح بالدخول إلا بمفتاح.' : '. لا تصل إليه إلا البرامج على هذا الجهاز.',
  startError: (reason: string) => `تعذّر بدء استقبال الاتصالات: \u2068${reason}\u2069`,
  address: 'عنوان استقبال الاتصالات',
  addressHint: '\u2068127.0.0.1\u2069: البرامج على هذا الجهاز فقط. \u20680.0.0.0\u2069: كل جهاز يمكنه الوصول إلى هذا الجهاز.',
  port: 'المنفذ',
  start: 'بدء المشاركة',
  change: 'تغيير العنوان',
  stop: 'إيقاف المشاركة',
  started: 'هذا الجهاز مشترَك الآن.',
  stopped: 'لم يعد هذا الجهاز مشترَكًا.',
  keys: 'المفاتيح',
  newKey: 'مفتاح جديد…',
  noKeys: 'لا مفاتيح بعد.',
  keyTitle: 'مفتاح جديد',
  person: 'الشخص',
  personHint: '64 حرفًا على الأكثر.',
  createKey: 'إنشاء المفتاح',
  keyFor: 'لاستخدام ',
  keyForOne: ' فقط. يخصّ المفتاح أول استوديو يستخدمه.',
  string: 'سلسلة الاتصال',
  localOnly:
    'لا يمكن استخدامه الآن إلا من برامج على هذا الجهاز. للسماح لآخرين بالاتصال يلزم الاستقبال على \u20680.0.0.0\u2069 أو على عنوان في الشبكة.',
  state: 'الحالة',
  lastSeen: 'آخر ظهور',
  actions: 'الإجراءات',
  keyStates: { revoked: 'مُبطَل', connected: 'متصل', unused: 'لم يُستخدم بعد', away: 'غير متصل' },
  revoke: 'إبطال',
  revokeOne: (name: string) => `إبطال مفتاح \u2068${name}\u2069`,
  revokeTitle: 'إبطال هذا المفتاح؟',
  revokeBefore: 'ينتهي الآن وصول ',
  revokeAfter: '، وتتوقف المهام التابعة له. لا يمكن التراجع عن ذلك.',
  revoked: 'أُبطل المفتاح.',
  connected: 'المتصلون',
  noSessions: 'لا أحد متصل.',
  from: (peer: string) => ` من \u2068${peer}\u2069، منذ `,
  tasksRun: (count: number) =>
    plural(count, {
      zero: '، لم تُنفَّذ مهام',
      one: '، نُفّذت مهمة واحدة',
      two: '، نُفّذت مهمتان',
      few: '، نُفّذت # مهام',
      many: '، نُفّذت # مهمة',
      other: '، نُفّذت # مهمة',
    }),
  disconnect: 'قطع الاتصال',
  disconnectOne: (name: string) => `قطع اتصال \u2068${name}\u2069`,
  disconnected: 'قُطع الاتصال. يمكن للاستوديو الاتصال من جديد بعد دقيقة. لمنعه يلزم إبطال مفتاحه.',
  events: (count: number) => `سجل الاتصالات (${count})`,
  someone: 'شخص ما',
  event: (peer: string, what: string, detail: string) => ` من \u2068${peer}\u2069: ${what}${detail && `: \u2068${detail}\u2069`}`,
  eventKinds: { connected: 'اتصال', disconnected: 'انتهاء الاتصال', kicked: 'قطع الاتصال', rejected: 'رفض الاتصال' },
}

/** After a preposition. */
const ofTasks = (count: number) =>
  plural(count, { zero: '# مهمة', one: 'مهمة واحدة', two: 'مهمتين', few: '# مهام', many: '# مهمة', other: '# مهمة' })

const lend = {
  title: 'الإعارة برمز انضمام',
  section: 'إعارة هذا الجهاز',
  states: { none: 'غير منضمّ', off: 'متوقف', finishing: 'يُنهي مهامه', lending: 'مُعار', searching: 'غير متصل', unknown: 'غير معروف' },
  none: 'لم ينضمّ هذا الجهاز إلى استوديو آخر.',
  off: (studio: string) => `الجهاز منضمّ إلى ${studio}، ولا يُعار الآن.`,
  finishing: (studio: string, held: number) => `يُنهي الجهاز العمل على ${ofTasks(held)} لصالح ${studio}، ولا يستقبل مهام جديدة.`,
  lending: (studio: string, held: number) => `الجهاز مُعار إلى ${studio}، ويعمل الآن على ${ofTasks(held)}.`,
  searching: (studio: string) => `جارٍ الاتصال: ${studio}.`,
  studioAt: (name: string, endpoint: string) =>
    name ? `الاستوديو \u2068${name}\u2069 على \u2068${endpoint}\u2069` : `استوديو على \u2068${endpoint}\u2069`,
  lastError: (error: string) => `آخر مشكلة: \u2068${error}\u2069`,
  pinned: 'يحدّد متغيّر البيئة STUDIO_WORKER_MODE هذا الخيار، فلا يمكن تغييره هنا.',
  start: 'بدء الإعارة',
  stop: 'إيقاف الإعارة',
  started: 'هذا الجهاز مُعار الآن.',
  stopped: 'توقفت إعارة هذا الجهاز.',
  join: 'انضمام وإعارة',
  joinAnother: 'الانضمام إلى استوديو آخر',
  joined: 'تم الانضمام. هذا الجهاز مُعار الآن.',
  code: 'رمز الانضمام من الاستوديو الآخر',
  codeHint: 'يُنشأ من صفحة الأجهزة في ذلك الاستوديو بواسطة «إضافة جهاز». يعمل هذا الجهاز بعدها على ما يرسله مستخدموه.',
}

export const strings = { add, secret, connect, share, lend }
