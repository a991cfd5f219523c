// The words of the Machines page, in Hindi: the table and the machine beside it.
import { grouped, plural } from '../language.ts'
import { strings as shared } from '../shared.ts'

const tasks = (count: number) => plural(count, { one: '# कार्य', other: '# कार्य' })

const machines = (online: number, all: number) => {
  if (all === 0) return 'अभी कोई दूसरी मशीन नहीं'
  if (all === 1) return online === 1 ? '1 मशीन, ऑनलाइन' : '1 मशीन, ऑफ़लाइन'
  if (online === 0) return `सभी ${grouped(all)} मशीनें ऑफ़लाइन हैं`
  return online === all ? `सभी ${grouped(all)} मशीनें ऑनलाइन हैं` : `${grouped(all)} में से ${grouped(online)} मशीनें ऑनलाइन`
}

const page = {
  machines: 'मशीनें',
  views: 'व्यू',
  tabs: { '': 'उधार ली हुई', shared: 'मेरी साझा', routing: 'रूटिंग', security: 'सुरक्षा' },
  remote: (isOn: boolean) => `रिमोट मशीनें: ${isOn ? 'चालू' : 'बंद'}`,
  turnOn: 'रिमोट मशीनें चालू करें',
  turnOff: 'बंद करें…',
  turnOffTitle: 'रिमोट मशीनें बंद करनी हैं?',
  turnOffYes: 'बंद करें',
  turnOffWarning: 'सभी मशीनें डिस्कनेक्ट होंगी और पोर्ट बंद हो जाएगा। उनके कार्य रोक दिए जाएँगे। मशीनें जुड़ी रहेंगी और इसे फिर चालू करने पर लौट आएँगी।',
  turnedOn: 'रिमोट मशीनें चालू हैं।',
  turnedOff: 'रिमोट मशीनें बंद हैं।',
  offNote: 'इसके बंद रहने पर सारा काम इसी मशीन पर होता है और कोई मशीन जुड़ नहीं सकती।',
  startError: (reason: string) => `रिमोट मशीनें चालू नहीं हो सकीं: ${reason}`,
  joinAt: 'मशीनें इस पते पर जुड़ती हैं: ',
  counts: (online: number, all: number, running: number, waiting: number) =>
    [machines(online, all), running > 0 && `${tasks(running)} जारी`, waiting > 0 && `${tasks(waiting)} प्रतीक्षा में`]
      .filter(Boolean)
      .join(' · '),
  add: 'मशीन जोड़ें…',
  connect: 'स्ट्रिंग से कनेक्ट करें…',
  routingNote: '“यहाँ चलता है: ऑटोमैटिक” उस मशीन को चुनता है, जो सबसे पहले काम पूरा करेगी। ',
  routingLink: 'देखें कि कौन-सा काम कहाँ चलता है',
}

const list = {
  find: 'मशीन खोजें',
  findExample: 'नाम, डिवाइस, पता',
  state: 'स्थिति',
  all: (count: number) => `सभी (${grouped(count)})`,
  stateCount: (state: string, count: number) => `${state} (${grouped(count)})`,
  shown: (found: number, all: number) =>
    found === all ? plural(all, { one: '# मशीन', other: '# मशीनें' }) : `${grouped(all)} में से ${grouped(found)} मशीनें`,
  showAll: 'सभी दिखाएँ',
  empty: 'अभी सिर्फ़ यह मशीन है। तेज़ स्पीच के लिए GPU वाली मशीन जोड़ें।',
  noneFound: 'कोई मेल खाती मशीन नहीं।',
}

const states = {
  ready: 'तैयार',
  busy: 'व्यस्त',
  draining: 'काम समेट रही है',
  paused: 'रुकी हुई',
  unapproved: 'मंज़ूरी चाहिए',
  off: 'बंद',
  offline: 'ऑफ़लाइन',
  unresponsive: 'जवाब नहीं दे रही',
  quarantined: 'क्वारंटीन में',
}

const table = {
  pool: (count: number) => plural(count, { one: '# मशीन का पूल', other: '# मशीनों का पूल' }),
  columns: {
    machine: 'मशीन',
    state: 'स्थिति',
    use: 'काम में इस्तेमाल',
    memory: 'GPU मेमोरी',
    loaded: 'लोड है',
    latency: 'लेटेंसी',
    actions: 'कार्रवाई',
  },
  none: '—',
  working: (count: number) => plural(count, { one: '# कार्य चल रहा है', other: '# कार्य चल रहे हैं' }),
  memoryUse: (used: string, all: string) => `${all} में से ${used}`,
  memoryOf: (use: string) => `GPU मेमोरी: ${use}`,
  noGpu: 'GPU नहीं',
  loaded: (names: string, more: number) => (more > 0 ? `${names} +${more}` : names),
}

const use = {
  names: { preferred: 'सबसे पहले', automatic: 'ऑटोमैटिक', low: 'कम प्राथमिकता', never: 'कभी नहीं' },
  other: (priority: string) => `प्राथमिकता ${priority}`,
  label: (name: string) => `काम में इस्तेमाल: ${name}`,
  notYet: 'अभी कुछ नहीं भेजा जाता',
  saved: (name: string) => `${name} के लिए सेव हो गया।`,
}

const card = {
  states,
  back: 'सभी मशीनें',
  facts: 'विवरण',
  address: 'पता',
  key: 'कुंजी',
  reasonsLabel: 'इसे काम क्यों नहीं मिलता',
  device: 'डिवाइस',
  memory: 'मेमोरी',
  system: 'सिस्टम',
  version: 'Voice Studio का वर्शन',
  outdated: (version: string) => `${version}, इस स्टूडियो से पुराना है। उस मशीन पर इसे अपडेट करें।`,
  models: 'लोड किए हुए मॉडल',
  none: 'कोई नहीं',
  runsNow: 'अभी चल रहा है',
  idle: 'ख़ाली',
  latency: 'लेटेंसी',
  ms: (ms: number) => `${ms} ms`,
  lastSeen: 'पिछली बार दिखी',
  now: 'अभी',
  priority: 'प्राथमिकता',
  priorityOf: (priority: number) => (priority === 50 ? 'सामान्य' : `${priority > 50 ? 'ज़्यादा' : 'कम'} (${priority})`),
  unknown: 'अज्ञात',
  cpuOnly: (count: number) => plural(count, { one: 'CPU, # कोर, GPU नहीं', other: 'CPU, # कोर, GPU नहीं' }),
  gpu: (model: string, backend: string) => `${model} (${backend})`,
  unusableGpu: (model: string, reason: string) => `${model} (मौजूद है, पर इस्तेमाल नहीं हो सकता: ${reason})`,
  gpuMemory: (free: string, all: string) => `${all} GPU मेमोरी में से ${free} ख़ाली`,
  systemMemory: (size: string) => `${size} मेमोरी`,
  work: (engine: string, operation: string, stage: string) => `${work[operation] ?? operation}, ${engine} से, ${stage}`,
  stages: { assigned: 'सौंपा गया', accepted: 'स्वीकार किया गया', model_loading: 'मॉडल लोड हो रहा है', result_uploading: 'नतीजा भेजा जा रहा है' },

  resume: 'फिर शुरू करें',
  approve: 'मंज़ूर करें',
  release: 'मुक्त करें',
  log: 'लॉग',
  takeWork: 'फिर काम लें',
  turnOn: 'चालू करें',
  turnOff: 'बंद करें',
  menu: 'और कार्रवाइयाँ',
  rename: 'नाम या प्राथमिकता बदलें',
  drain: 'काम समेटें',
  drainHint: 'काम समेटें: मशीन अपने कार्य पूरे करती है और नए नहीं लेती।',
  withdraw: 'मंज़ूरी वापस लें',
  remove: shared.remove,
  actionFor: (action: string, name: string) => `${action}: ${name}`,
  resumed: (name: string) => `${name} को फिर से काम मिल रहा है।`,
  notResumed: (name: string, why: string) => `${name} को अब भी काम नहीं मिल रहा। ${why}`,
  draining: (name: string) => `${name} अपने कार्य पूरे करेगी और नए नहीं लेगी।`,
  turnedOn: (name: string) => `${name} चालू है।`,
  turnedOff: (name: string) => `${name} बंद है।`,
}

const reasons = {
  quarantined: (why: string) => `क्वारंटीन में: ${why}। जब तक आप इसे मुक्त नहीं करते, वहाँ कुछ नहीं भेजा जाता।`,
  unapproved: 'जब तक आप मंज़ूरी नहीं देते, वहाँ कुछ नहीं भेजा जाता।',
  /** Differences from what was approved. */
  lapsed: {
    pool: 'यह अब एक पूल है।',
    machine: 'यह अब पूल नहीं है।',
    operator: (name: string) => `इसका संचालक अब ${name} है।`,
    places: (names: string) => `इसकी मशीनें अब यहाँ हैं: ${names}।`,
    reads: 'इसका संचालक अब भेजी गई चीज़ें पढ़ सकता है।',
    readsNot: 'संचालक का कहना है कि वह अब भेजी गई चीज़ें नहीं पढ़ता।',
  },
  off: 'आपने इसे बंद किया है। इसका काम दूसरी मशीनों पर जाता है।',
  notReached: (why: string) => `कनेक्टेड नहीं है। ${why || 'स्टूडियो कनेक्ट करने की कोशिश करता रहता है।'}`,
  neverConnected: (name: string) => `${name} अभी तक कनेक्ट नहीं हुई है। इसका मालिक उस पर Voice Studio शुरू करता है।`,
  offline: (name: string) => `${name} बंद है या कनेक्टेड नहीं है। इसका मालिक उस पर Voice Studio शुरू करता है।`,
  unresponsive: 'यह कनेक्टेड है, पर जवाब नहीं दे रही। इसका लॉग देखें।',
  drained: (count: number) =>
    count > 0
      ? plural(count, {
          one: 'काम समेट रही है: # कार्य पूरा कर रही है और नए नहीं लेती।',
          other: 'काम समेट रही है: # कार्य पूरे कर रही है और नए नहीं लेती।',
        })
      : 'काम समेट चुकी है: इसे नए कार्य नहीं मिलते।',
  ending: (count: number) =>
    count > 0
      ? plural(count, {
          one: 'इसका मालिक इसे बंद कर रहा है: # कार्य पूरा कर रही है और नए नहीं लेती।',
          other: 'इसका मालिक इसे बंद कर रहा है: # कार्य पूरे कर रही है और नए नहीं लेती।',
        })
      : 'इसका मालिक इसे बंद कर रहा है: यह नए कार्य नहीं लेती।',
  breaker: (model: string, summary: string) => `${model}: ${summary}।`,
  lastConnected: (ago: string) => `पिछला कनेक्शन: ${ago}।`,
  nextTry: (time: string) => `अगली कोशिश ${time} में।`,
  nextTrySoon: 'अगली कोशिश कुछ ही पल में।',
  allSlots: 'सभी स्लॉट इस्तेमाल में हैं।',
  waits: (count: number, why: string) => `${plural(count, { one: '# कार्य वहाँ नहीं चल सकता', other: '# कार्य वहाँ नहीं चल सकते' })}: ${why}।`,
  /** Reasons of the scheduler that need more context here. */
}

const work: Readonly<Record<string, string>> = {
  tts: 'स्पीच',
  asr: 'ट्रांसक्रिप्शन',
  clean: 'शोर हटाना',
  translate: 'अनुवाद',
  separate: 'आवाज़ अलग करना',
}

export const strings = { page, list, table, use, card, reasons }
