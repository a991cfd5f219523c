// The words of the parts of an editor of a dub that its first view does not show, in Hindi: one line, speakers and voices, terms, check and export.
import { grouped, list, plural } from '../language.ts'

const lines = (count: number) => plural(count, { one: '# लाइन', other: '# लाइनें' })
/** Names of the checks of a line. */
const CHECKS: Readonly<Record<string, string>> = {
  words: 'शब्द',
  timing: 'समय',
  language: 'भाषा',
  level: 'लाउडनेस',
  clipping: 'विकृति',
  rate: 'रफ़्तार',
  cut: 'कटे हुए सिरे',
  leak: 'मूल आवाज़ का रिसाव',
  voice: 'आवाज़ों की समानता',
}
/** Reasons for checks that were not made. */
const NOT_CHECKED: Readonly<Record<string, string>> = {
  words: 'इंस्टॉल किया हुआ कोई मॉडल यह भाषा नहीं समझता।',
  language: 'इंस्टॉल किया हुआ कोई मॉडल यह भाषा नहीं समझता।',
  timing: 'इंस्टॉल किया हुआ कोई मॉडल यह नहीं पहचानता कि बोलना कहाँ शुरू और ख़त्म होता है।',
  leak: 'फ़िल्म तैयार करते समय उसकी आवाज़ें संगीत और शोर से अलग नहीं की गई थीं।',
  voice: 'इंस्टॉल किया हुआ कोई मॉडल आवाज़ों की तुलना नहीं करता।',
}
const checkNames = (checks: readonly string[]) => list(checks.map((check) => CHECKS[check] ?? check))

export const strings = {
  imported: (name: string) => `${name} से लाइनें`,
  readAgainHint: 'अक्षर ग़लत हों, तो दूसरी एन्कोडिंग चुनें: लाइनें फिर से पढ़ी जाएँगी।',
  line: (number: number) => `लाइन ${number}`,
  newTake: 'नया टेक',
  speakWith: (count: number) => `इसके साथ ${grouped(count)} और बोलें`,
  understood: (text: string) => `जाँच ने यह समझा: ${text}`,
  lengthIn: (length: string, room: string, isMeasured: boolean) => `${room} से॰ की जगह में ${isMeasured ? '' : 'लगभग '}${length} से॰ की स्पीच।`,
  shorter: 'छोटा रूप:',
  use: 'इसे लें',
  sourceText: 'मूल टेक्स्ट',
  startSeconds: 'शुरुआत (से॰)',
  endSeconds: 'अंत (से॰)',
  timeRefusals: { number: 'सेकंड डालें, जैसे 12.5।', order: 'अंत, शुरुआत से कम से कम 0.1 से॰ बाद होना चाहिए।' },

  newSpeaker: 'नया वक्ता…',
  newSpeakerName: 'नए वक्ता का नाम',
  addSpeaker: 'जोड़ें',
  speakerKeys: '1 से 9 तक की कुंजियाँ वक्ता तय करती हैं।',
  namesFound: 'लाइनों में मिले वक्ता:',
  useNames: 'इस्तेमाल करें',
  keepNames: 'टेक्स्ट में रहने दें',
  hearVoice: (name: string) => `${name} की आवाज़ चलाएँ`,
  stopVoice: (name: string) => `${name} की आवाज़ रोकें`,
  speaks: (count: number, time: string) => (count === 0 ? lines(0) : `${lines(count)}, ${time}`),
  voicesHint: 'हर वक्ता की एक ही आवाज़ रहती है। दूसरी आवाज़ में बोली गई लाइनें फिर से बोली जाती हैं।',
  name: 'नाम',
  voiceOf: (name: string) => `${name} की आवाज़`,
  engineVoice: 'इंजन की आवाज़',
  filmVoice: 'फ़िल्म से आवाज़',

  glossaryHint: 'वे नाम और शब्द, जिनका अनुवाद हर जगह एक-सा होता है। ये अगले अनुवाद से लागू होते हैं।',
  noGlossary: 'अभी कोई शब्द नहीं।',
  terms: 'शब्द',
  termSource: 'मूल',
  termTarget: 'अनुवाद',
  termNote: 'नोट',
  addTerm: 'शब्द जोड़ें',
  findTerms: 'शब्द ढूँढें',
  noTerms: 'पढ़ने के लिए अभी कोई टेक्स्ट नहीं है।',
  termsFound: (count: number) =>
    count === 0 ? 'कोई नया शब्द नहीं मिला।' : plural(count, { one: '# शब्द जोड़ा गया। अनुवाद जाँच लें।', other: '# शब्द जोड़े गए। अनुवाद जाँच लें।' }),
  foundTerm: 'मिला',
  editTerm: (name: string) => `${name} बदलें`,
  removeTerm: (name: string) => `${name} हटाएँ`,
  translateAgain: (count: number) => plural(count, { one: '# लाइन का फिर अनुवाद करें', other: '# लाइनों का फिर अनुवाद करें' }),

  exportTitle: 'एक्सपोर्ट',
  language: 'भाषा',
  keepBackground: 'फ़िल्म का संगीत और शोर रखें',
  keepOriginal: 'फ़िल्म का ऑडियो कम वॉल्यूम में रखें',
  dual: 'दोनों भाषाओं में सबटाइटल',
  burn: 'सबटाइटल चित्र पर लिखें',
  files: {
    film: 'वीडियो (MP4)',
    filmHint: (count: number, burns: boolean) =>
      `${plural(count, { one: 'डबिंग', other: '# डबिंग' })}, मूल ऑडियो और ${burns ? 'चित्र पर लिखे सबटाइटल' : 'बंद रखे गए सबटाइटल'}।`,
    mp3: 'ऑडियो (MP3)',
    mp3Hint: 'छोटी फ़ाइल, हर जगह चलती है।',
    wav: 'ऑडियो (WAV)',
    wavHint: 'बिना गुणवत्ता खोए।',
    srt: 'सबटाइटल (SRT)',
    srtHint: 'प्लेयर और वीडियो साइटों के लिए।',
    vtt: 'सबटाइटल (WebVTT)',
    vttHint: 'वेब पेजों के लिए।',
    stems: 'स्टेम (ZIP)',
    stemsHint: 'आवाज़ और बैकग्राउंड अलग-अलग फ़ाइलों में।',
    lines: 'लाइनें (ZIP)',
    linesHint: 'हर लाइन एक WAV फ़ाइल में।',
  },
  saveAs: (name: string) => `${name} सेव करें`,
  exportHint: 'आप यह विंडो बंद कर सकते हैं और पेज छोड़ सकते हैं। काम स्टूडियो में जारी रहता है, और फ़ाइल बनने पर यहाँ मिलेगी।',
  makes: (name: string) => `बन रहा है: ${name}`,
  begins: 'तैयारी हो रही है',
  exportFailed: 'फ़ाइल नहीं बन सकी।',
  cancelExport: (name: string) => `${name} रद्द करें`,
  madeTitle: 'पहले बनी फ़ाइलें',
  madeFile: (size: string, when: string) => `${size} · ${when}`,

  checkTitle: 'जाँच',
  checkAgain: 'फिर से जाँचें',
  closeCheck: 'जाँच बंद करें',
  linesCount: lines,
  faulty: (faulty: number, all: number) =>
    `${plural(all, { one: '# लाइन में से', other: '# लाइनों में से' })} ${plural(faulty, { one: '# में ख़राबी है।', other: '# में ख़राबी है।' })}`,
  noFaults: 'जो जाँचा गया, उसमें कोई ख़राबी नहीं मिली।',
  checked: (checks: readonly string[]) => `जाँच हुई: ${checkNames(checks)}।`,
  notChecked: (checks: readonly string[]) => `जाँच नहीं हुई: ${checkNames(checks)}।`,
  /** Reasons for checks that no line had, each once. */
  whyNotChecked: (checks: readonly string[]) => [...new Set(checks.flatMap((check) => NOT_CHECKED[check] ?? []))],
  partlyChecked: (checks: readonly string[]) => `सिर्फ़ कुछ लाइनों में जाँच हुई: ${checkNames(checks)}।`,
  showThem: 'उन्हें दिखाएँ',
  repair: 'उन्हें फिर से बोलें',
  closeNote: 'यह सूचना बंद करें',
  wordless: (count: number) =>
    plural(count, {
      one: 'फ़िल्म में # जगह पर आवाज़ है, पर कोई शब्द नहीं पहचाना गया और कोई लाइन नहीं है। जहाँ कोई बोलता है, वहाँ लाइन डालें।',
      other: 'फ़िल्म में # जगहों पर आवाज़ है, पर कोई शब्द नहीं पहचाना गया और कोई लाइन नहीं है। जहाँ कोई बोलता है, वहाँ लाइन डालें।',
    }),
  fromTo: (from: string, to: string) => `${from} से ${to}`,
  playPlace: (times: string) => `${times} चलाएँ`,
  morePlaces: (count: number) => `और ${grouped(count)} अन्य`,
  uncovered: (count: number) =>
    plural(count, {
      one: 'फ़िल्म में # जगह पर कोई बोलता है, पर लाइन नहीं है।',
      other: 'फ़िल्म में # जगहों पर कोई बोलता है, पर लाइन नहीं है।',
    }),
}
