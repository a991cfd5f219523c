// The words of the parts of an editor of a dub that its first view does not show, in Arabic: one line, speakers and voices, terms, check and export.
import { list, plural } from '../language.ts'

const lines = (count: number) =>
  plural(count, { zero: '# سطر', one: 'سطر واحد', two: 'سطران', few: '# أسطر', many: '# سطرًا', other: '# سطر' })
/** After a word that governs it, such as "translating". */
const ofLines = (count: number) =>
  plural(count, { zero: '# سطر', one: 'سطر واحد', two: 'سطرين', few: '# أسطر', many: '# سطرًا', other: '# سطر' })
/** Names of the checks of a line. */
const CHECKS: Readonly<Record<string, string>> = {
  words: 'الكلمات',
  timing: 'التوقيت',
  language: 'اللغة',
  level: 'شدّة الصوت',
  clipping: 'التشوّه',
  rate: 'الإيقاع',
  cut: 'النهايات المقطوعة',
  leak: 'تسرّب الصوت الأصلي',
  voice: 'تشابه الأصوات',
}
/** Reasons for checks that were not made. */
const NOT_CHECKED: Readonly<Record<string, string>> = {
  words: 'لا يفهم هذه اللغة أي نموذج مثبّت.',
  language: 'لا يفهم هذه اللغة أي نموذج مثبّت.',
  timing: 'لا يحدد بداية الكلام ونهايته أي نموذج مثبّت.',
  leak: 'لم تُفصل أصوات الفيلم عن موسيقاه وضجيجه عند تجهيزه.',
  voice: 'لا يقارن الأصوات أي نموذج مثبّت.',
}
const checkNames = (checks: readonly string[]) => list(checks.map((check) => CHECKS[check] ?? check))

export const strings = {
  imported: (name: string) => `أسطر من \u2068${name}\u2069`,
  readAgainHint: 'إذا ظهرت الحروف خاطئة يمكن اختيار ترميز آخر، فتُقرأ الأسطر من جديد.',
  line: (number: number) => `السطر ${number}`,
  newTake: 'لقطة جديدة',
  speakWith: (count: number) =>
    plural(count, {
      zero: 'نطق هذا السطر',
      one: 'نطق هذا وسطر آخر',
      two: 'نطق هذا وسطرين آخرين',
      few: 'نطق هذا و# أسطر أخرى',
      many: 'نطق هذا و# سطرًا آخر',
      other: 'نطق هذا و# سطر آخر',
    }),
  understood: (text: string) => `فهم الفحص: \u2068${text}\u2069`,
  lengthIn: (length: string, room: string, isMeasured: boolean) =>
    `مدة الكلام ${isMeasured ? '' : 'نحو '}${length}\u00a0ث، والوقت المتاح ${room}\u00a0ث.`,
  shorter: 'نص أقصر:',
  use: 'استخدامه',
  sourceText: 'النص الأصلي',
  startSeconds: 'البداية (ث)',
  endSeconds: 'النهاية (ث)',
  timeRefusals: { number: 'يلزم إدخال ثوانٍ، مثل 12.5.', order: 'يجب أن تكون النهاية بعد البداية بما لا يقل عن 0.1\u00a0ث.' },

  newSpeaker: 'متحدث جديد…',
  newSpeakerName: 'اسم المتحدث الجديد',
  addSpeaker: 'إضافة',
  speakerKeys: 'المفاتيح من 1 إلى 9 تحدد المتحدث.',
  namesFound: 'متحدثون ذُكروا في الأسطر:',
  useNames: 'استخدام الأسماء',
  keepNames: 'إبقاؤها ضمن النص',
  hearVoice: (name: string) => `تشغيل صوت \u2068${name}\u2069`,
  stopVoice: (name: string) => `إيقاف صوت \u2068${name}\u2069`,
  speaks: (count: number, time: string) => (count === 0 ? 'لا أسطر' : `${lines(count)}، ${time}`),
  voicesHint: 'لكل متحدث صوت واحد. الأسطر التي نُطقت بصوت آخر تُنطق من جديد.',
  name: 'الاسم',
  voiceOf: (name: string) => `صوت \u2068${name}\u2069`,
  engineVoice: 'صوت المحرك',
  filmVoice: 'صوت من الفيلم',

  glossaryHint: 'أسماء ومصطلحات تُترجم بطريقة واحدة في كل مكان. تسري بدءًا من الترجمة التالية.',
  noGlossary: 'لا مصطلحات بعد.',
  terms: 'المصطلحات',
  termSource: 'الأصل',
  termTarget: 'الترجمة',
  termNote: 'ملاحظة',
  addTerm: 'إضافة مصطلح',
  findTerms: 'استخراج المصطلحات',
  noTerms: 'لا نص للقراءة بعد.',
  termsFound: (count: number) =>
    plural(count, {
      zero: 'لم يُعثر على مصطلحات جديدة.',
      one: 'أُضيف مصطلح واحد. تنبغي مراجعة الترجمة.',
      two: 'أُضيف مصطلحان. تنبغي مراجعة الترجمتين.',
      few: 'أُضيفت # مصطلحات. تنبغي مراجعة الترجمات.',
      many: 'أُضيف # مصطلحًا. تنبغي مراجعة الترجمات.',
      other: 'أُضيف # مصطلح. تنبغي مراجعة الترجمات.',
    }),
  foundTerm: 'مستخرج',
  editTerm: (name: string) => `تحرير \u2068${name}\u2069`,
  removeTerm: (name: string) => `إزالة \u2068${name}\u2069`,
  translateAgain: (count: number) => `إعادة ترجمة ${ofLines(count)}`,

  exportTitle: 'تصدير',
  language: 'اللغة',
  keepBackground: 'الاحتفاظ بموسيقى الفيلم وضجيجه',
  keepOriginal: 'الاحتفاظ بصوت الفيلم، مخفّضًا',
  dual: 'ترجمة الشاشة باللغتين',
  burn: 'دمج ترجمة الشاشة في الصورة',
  files: {
    film: 'فيديو (MP4)',
    filmHint: (count: number, burns: boolean) =>
      `${plural(count, {
        zero: 'بلا دبلجة',
        one: 'الدبلجة',
        two: 'دبلجتان',
        few: '# دبلجات',
        many: '# دبلجة',
        other: '# دبلجة',
      })}، والصوت الأصلي، و${burns ? 'ترجمة مدمجة في الصورة' : 'ترجمة شاشة متوقفة مبدئيًا'}.`,
    mp3: 'صوت (MP3)',
    mp3Hint: 'صغير ويعمل في كل مكان.',
    wav: 'صوت (WAV)',
    wavHint: 'دون فقدان.',
    srt: 'ترجمة الشاشة (SRT)',
    srtHint: 'للمشغّلات ومواقع الفيديو.',
    vtt: 'ترجمة الشاشة (WebVTT)',
    vttHint: 'لصفحات الويب.',
    stems: 'المسارات المنفصلة (ZIP)',
    stemsHint: 'الصوت والخلفية في ملفين منفصلين.',
    lines: 'الأسطر (ZIP)',
    linesHint: 'كل سطر في ملف WAV.',
  },
  saveAs: (name: string) => `حفظ \u2068${name}\u2069`,
  exportHint: 'يمكن إغلاق هذه النافذة ومغادرة الصفحة. يستمر العمل في الاستوديو، ويظهر الملف هنا بعد إنشائه.',
  makes: (name: string) => `جارٍ إنشاء \u2068${name}\u2069`,
  begins: 'جارٍ التجهيز',
  exportFailed: 'تعذّر إنشاء الملف.',
  cancelExport: (name: string) => `إلغاء \u2068${name}\u2069`,
  madeTitle: 'أُنشئت من قبل',
  madeFile: (size: string, when: string) => `${size} · ${when}`,

  checkTitle: 'الفحص',
  checkAgain: 'إعادة الفحص',
  closeCheck: 'إغلاق الفحص',
  linesCount: lines,
  faulty: (faulty: number, all: number) => `الأسطر التي فيها عيوب: ${faulty} من ${ofLines(all)}.`,
  noFaults: 'لم يُعثر على عيوب فيما فُحص.',
  checked: (checks: readonly string[]) => `فُحص: ${checkNames(checks)}.`,
  notChecked: (checks: readonly string[]) => `لم يُفحص: ${checkNames(checks)}.`,
  /** Reasons for checks that no line had, each once. */
  whyNotChecked: (checks: readonly string[]) => [...new Set(checks.flatMap((check) => NOT_CHECKED[check] ?? []))],
  partlyChecked: (checks: readonly string[]) => `فُحص في بعض الأسطر فقط: ${checkNames(checks)}.`,
  showThem: 'عرضها',
  repair: 'نطقها من جديد',
  closeNote: 'إغلاق هذه الملاحظة',
  wordless: (count: number) =>
    plural(count, {
      zero: 'لا مواضع فيها صوت بلا كلمات.',
      one: 'في موضع واحد من الفيلم صوت لم تُعرف كلماته ولا سطر له. يمكن إدراج سطر حيث يتكلم أحد.',
      two: 'في موضعين من الفيلم صوت لم تُعرف كلماته ولا سطر له. يمكن إدراج سطر حيث يتكلم أحد.',
      few: 'في # مواضع من الفيلم صوت لم تُعرف كلماته ولا سطر له. يمكن إدراج سطر حيث يتكلم أحد.',
      many: 'في # موضعًا من الفيلم صوت لم تُعرف كلماته ولا سطر له. يمكن إدراج سطر حيث يتكلم أحد.',
      other: 'في # موضع من الفيلم صوت لم تُعرف كلماته ولا سطر له. يمكن إدراج سطر حيث يتكلم أحد.',
    }),
  fromTo: (from: string, to: string) => `${from} إلى ${to}`,
  playPlace: (times: string) => `تشغيل ${times}`,
  morePlaces: (count: number) => `و${count} غيرها`,
  uncovered: (count: number) =>
    plural(count, {
      zero: 'لكل كلام في الفيلم سطر.',
      one: 'موضع واحد من الفيلم فيه كلام بلا سطر.',
      two: 'موضعان من الفيلم فيهما كلام بلا سطر.',
      few: '# مواضع من الفيلم فيها كلام بلا سطر.',
      many: '# موضعًا من الفيلم فيها كلام بلا سطر.',
      other: '# موضع من الفيلم فيها كلام بلا سطر.',
    }),
}
