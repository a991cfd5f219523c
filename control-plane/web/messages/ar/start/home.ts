// The words of the Home page, in Arabic.
import { grouped, plural } from '../language.ts'

const lines = (count: number) =>
  plural(count, { zero: '# سطر', one: 'سطر واحد', two: 'سطران', few: '# أسطر', many: '# سطرًا', other: '# سطر' })

export const strings = {
  local: 'يجري العمل على هذا الجهاز.',
  elsewhere: (name: string) => `يجري العمل على ${name}.`,
  machine: (name: string, jobs: number) =>
    jobs === 0
      ? `الجهاز \u2068${name}\u2069 متصل وليس لديه عمل الآن.`
      : `الجهاز \u2068${name}\u2069 متصل ويعمل على ${plural(jobs, {
          zero: '# مهمة',
          one: 'مهمة واحدة',
          two: 'مهمتين',
          few: '# مهام',
          many: '# مهمة',
          other: '# مهمة',
        })}.`,
  machines: (count: number) =>
    plural(count, {
      zero: 'لا أجهزة متصلة.',
      one: 'جهاز واحد متصل.',
      two: 'جهازان متصلان.',
      few: '# أجهزة متصلة.',
      many: '# جهازًا متصلًا.',
      other: '# جهاز متصل.',
    }),

  text: 'النص',
  placeholder: 'كتابة النص أو لصقه هنا…',
  voice: 'الصوت',
  defaultVoice: 'الصوت الافتراضي',
  speak: 'نطق',
  speakKeys: '\u2068Ctrl ↵\u2069',
  tooLong: (limit: number) => `الحد الأقصى للقطة الواحدة ${grouped(limit)} حرف.`,
  busy: 'ما زال توليد آخر جاريًا. يمكن إلغاؤه أو انتظار انتهائه.',
  openFile: 'فتح ملف',
  dictate: 'إملاء',
  askFile: (name: string) => `\u2068${name}\u2069: دبلجة أم تفريغ صوتي؟`,
  dubIt: 'دبلجة',
  transcribeIt: 'تفريغ',
  keepOut: 'إلغاء',
  otherFile: 'تفتح الصفحة الرئيسية النصوص والتسجيلات والأفلام. أما الكتب فتُفتح من صفحة الكتب الصوتية.',
  longText: 'هذا النص بطول كتاب. يمكن فتحه من صفحة الكتب الصوتية.',
  otherTranscript: 'يجري إرسال تسجيل آخر. ينبغي انتظار وصوله، ثم فتح هذا التسجيل من جديد.',
  create: 'إنشاء',
  tiles: {
    dub: ['دبلجة فيديو', 'إلى لغة أخرى'],
    audiobook: ['إنشاء كتاب صوتي', 'من EPUB أو PDF أو Word أو نص'],
    transcribe: ['تفريغ صوتي', 'من صوت أو فيديو أو إملاء'],
    voices: ['استنساخ صوت أو تصميمه', 'تكفي 10 ثوانٍ'],
  },

  continue: 'متابعة العمل',
  allProjects: 'كل المشاريع',
  take: 'لقطة',
  project: 'مشروع',
  transcript: 'نص تفريغ',
  speech: 'كلام',
  manuscript: 'مخطوطة',
  dub: (language: string, count: number) =>
    ['دبلجة', language && `\u2068${language}\u2069`, count > 0 ? lines(count) : ''].filter(Boolean).join(' · '),
  book: (chapters: number) =>
    plural(chapters, {
      zero: 'كتاب صوتي · # فصل',
      one: 'كتاب صوتي · فصل واحد',
      two: 'كتاب صوتي · فصلان',
      few: 'كتاب صوتي · # فصول',
      many: 'كتاب صوتي · # فصلًا',
      other: 'كتاب صوتي · # فصل',
    }),
  stopped: (done: number, all: number) => `متوقف. الفصول المحفوظة: ${done} من ${all}.`,
  done: 'تم',
  draft: 'مسودة',
  spoken: 'منطوق',

  first: 'الكلمات الأولى',
  firstHint: 'نصوص جاهزة لتجربة صوت.',
  samples: [
    'كان الميناء هادئًا عند الخامسة. لا شيء سوى النوارس، ومصباح واحد على الرصيف البعيد.',
    'مساء الخير. إليكم عناوين نشرة التاسعة.',
    'اثنتا عشرة درجة تنزل إلى القبو، وآخرها متخلخلة.',
  ],

  running: 'قيد التنفيذ',
  jobs: 'المهام',
  nothing: 'لا شيء قيد التنفيذ.',
  checking: 'جارٍ فحص هذا الاستوديو…',
  ready: 'جاهز',
  suggestions: (count: number) =>
    plural(count, {
      zero: 'جاهز، دون اقتراحات',
      one: 'جاهز، مع اقتراح واحد',
      two: 'جاهز، مع اقتراحين',
      few: 'جاهز، مع # اقتراحات',
      many: 'جاهز، مع # اقتراحًا',
      other: 'جاهز، مع # اقتراح',
    }),
  notReady: 'هناك ما يحتاج إليك',
  needsApproval: (name: string) => `الجهاز \u2068${name}\u2069 بحاجة إلى موافقتك`,
  review: 'مراجعة',
  show: 'عرض',
  dismiss: 'تجاهل',
  crashed: 'انهار البرنامج أو أُنهي قسرًا. حُفظت نهاية سجلّه.',
  readError: (what: string) => `تعذّر تحميل هذه القائمة: \u2068${what}\u2069`,
}
