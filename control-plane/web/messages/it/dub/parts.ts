// The words of the parts of an editor of a dub that its first view does not show, in Italian.
import { grouped, list, plural } from '../language.ts'

const lines = (count: number) => plural(count, { one: '# battuta', many: '# battute', other: '# battute' })
/** Names of the checks of a line. */
const CHECKS: Readonly<Record<string, string>> = {
  words: 'parole',
  timing: 'tempi',
  language: 'lingua',
  level: 'volume',
  clipping: 'distorsione',
  rate: 'ritmo',
  cut: 'finali tagliati',
  leak: 'residui dell’originale',
  voice: 'somiglianza delle voci',
}
/** Reasons for checks that were not made. */
const NOT_CHECKED: Readonly<Record<string, string>> = {
  words: 'Nessun modello installato capisce questa lingua.',
  language: 'Nessun modello installato capisce questa lingua.',
  timing: 'Nessun modello installato rileva dove il parlato inizia e finisce.',
  leak: 'Durante la preparazione del film le voci non sono state separate da musica e rumori.',
  voice: 'Nessun modello installato confronta le voci.',
}
const checkNames = (checks: readonly string[]) => list(checks.map((check) => CHECKS[check] ?? check))

export const strings = {
  beginTitle: 'Avvia il doppiaggio',
  beginHint: 'Trascrivi ciò che si dice nel film, o usa i sottotitoli che hai già.',
  startHint: 'Il film viene trascritto e tradotto in un’unica passata. Intanto puoi lasciare questa pagina.',
  follows: 'Poi il film viene trascritto e tradotto.',
  afterUpload: 'Il film viene trascritto e tradotto al termine del caricamento.',
  filmLanguage: 'Lingua del film',
  detect: 'Rileva',
  dubInto: 'Doppia in',
  chooseLanguages: 'Scegli lingue',
  addLanguage: 'Aggiungi una lingua',
  withoutLanguage: (name: string) => `Rimuovi ${name}`,
  speakerCount: 'Parlanti',
  automatic: 'Automatico',
  importSubtitles: 'Importa sottotitoli',
  transcribe: 'Trascrivi',
  start: 'Avvia',

  imported: (name: string) => `Battute da ${name}`,
  readAgainHint: 'Se le lettere sono sbagliate, scegli un’altra codifica: le battute vengono rilette.',
  line: (number: number) => `Battuta ${number}`,
  newTake: 'Nuovo take',
  speakWith: (count: number) => `Doppia questa e altre ${grouped(count)}`,
  understood: (text: string) => `Il controllo ha capito: ${text}`,
  lengthIn: (length: string, room: string, isMeasured: boolean) =>
    `${isMeasured ? '' : 'Circa '}${length}\u00a0s di parlato in uno spazio di ${room}\u00a0s.`,
  shorter: 'Una versione più breve:',
  use: 'Usa',
  sourceText: 'Testo originale',
  startsAt: 'Inizio',
  endsAt: 'Fine',
  timeHint: 'Per esempio 1:02.5 o 62.5. Le frecce su e giù lo cambiano di 0,1\u00a0s, con Maiusc di 1\u00a0s.',
  timeRefusals: {
    number: 'Inserisci un tempo, per esempio 1:02.5 o 62.5.',
    order: 'La fine deve essere almeno 0,1\u00a0s dopo l’inizio.',
  },
  filmEnds: (end: string) => `Il film finisce a ${end}.`,

  newSpeaker: 'Nuovo parlante…',
  newSpeakerName: 'Nome del nuovo parlante',
  addSpeaker: 'Aggiungi',
  speakerKeys: 'I tasti da 1 a 9 impostano il parlante.',
  namesFound: 'Parlanti trovati nelle battute:',
  useNames: 'Usali',
  keepNames: 'Lascia nel testo',
  hearVoice: (name: string) => `Riproduci la voce di ${name}`,
  stopVoice: (name: string) => `Ferma la voce di ${name}`,
  speaks: (count: number, time: string) => (count === 0 ? lines(0) : `${lines(count)}, ${time}`),
  voicesHint: 'Ogni parlante mantiene una sola voce. Le battute doppiate con un’altra vengono rifatte.',
  name: 'Nome',
  voiceOf: (name: string) => `Voce di ${name}`,
  engineVoice: 'Voce del motore',
  filmVoice: 'Voce dal film',

  glossaryHint: 'Nomi e termini tradotti ovunque allo stesso modo. Valgono a partire dalla prossima traduzione.',
  noGlossary: 'Ancora nessun termine.',
  terms: 'Termini',
  termSource: 'Originale',
  termTarget: 'Traduzione',
  termNote: 'Nota',
  addTerm: 'Aggiungi termine',
  findTerms: 'Trova termini',
  noTerms: 'Non c’è ancora un testo da leggere.',
  termsFound: (count: number) =>
    count === 0
      ? 'Nessun nuovo termine trovato.'
      : plural(count, {
          one: '# termine aggiunto. Controlla la traduzione.',
          many: '# termini aggiunti. Controlla le traduzioni.',
          other: '# termini aggiunti. Controlla le traduzioni.',
        }),
  foundTerm: 'Trovato',
  editTerm: (name: string) => `Modifica ${name}`,
  removeTerm: (name: string) => `Rimuovi ${name}`,
  translateAgain: (count: number) => `Ritraduci ${lines(count)}`,

  exportTitle: 'Esporta',
  language: 'Lingua',
  keepBackground: 'Mantieni musica e rumori del film',
  keepOriginal: 'Mantieni l’audio del film, più basso',
  dual: 'Sottotitoli in entrambe le lingue',
  burn: 'Imprimi i sottotitoli nell’immagine',
  files: {
    film: 'Video (MP4)',
    filmHint: (count: number, burns: boolean) =>
      `${plural(count, { one: 'Il doppiaggio', many: '# doppiaggi', other: '# doppiaggi' })}, l’audio originale e ${burns ? 'sottotitoli nell’immagine' : 'sottotitoli disattivati'}.`,
    mp3: 'Audio (MP3)',
    mp3Hint: 'Piccolo, si riproduce ovunque.',
    wav: 'Audio (WAV)',
    wavHint: 'Senza perdite.',
    srt: 'Sottotitoli (SRT)',
    srtHint: 'Per lettori e siti video.',
    vtt: 'Sottotitoli (WebVTT)',
    vttHint: 'Per pagine web.',
    stems: 'Stem (ZIP)',
    stemsHint: 'Voce e sfondo in file separati.',
    lines: 'Battute (ZIP)',
    linesHint: 'Ogni battuta come file WAV.',
  },
  saveAs: (name: string) => `Salva ${name}`,
  exportHint: 'Puoi chiudere questa finestra e lasciare la pagina. Lo studio prosegue, e il file sarà qui quando è pronto.',
  makes: (name: string) => `Creazione di ${name}`,
  begins: 'Preparazione',
  exportFailed: 'Impossibile creare il file.',
  cancelExport: (name: string) => `Annulla ${name}`,
  madeTitle: 'Creati in precedenza',
  madeFile: (size: string, when: string) => `${size} · ${when}`,

  checkTitle: 'Controllo',
  checkAgain: 'Ricontrolla',
  closeCheck: 'Chiudi il controllo',
  linesCount: lines,
  faulty: (faulty: number, all: number) =>
    `${plural(faulty, { one: '# battuta con difetti', many: '# battute con difetti', other: '# battute con difetti' })} su ${grouped(all)}.`,
  noFaults: 'Nessun difetto in ciò che è stato controllato.',
  checked: (checks: readonly string[]) => `Con controllo: ${checkNames(checks)}.`,
  notChecked: (checks: readonly string[]) => `Senza controllo: ${checkNames(checks)}.`,
  /** Reasons for checks that no line had, each once. */
  whyNotChecked: (checks: readonly string[]) => [...new Set(checks.flatMap((check) => NOT_CHECKED[check] ?? []))],
  partlyChecked: (checks: readonly string[]) => `Controllo solo in alcune battute: ${checkNames(checks)}.`,
  showThem: 'Mostra',
  repair: 'Doppia di nuovo',
  closeNote: 'Chiudi questa nota',
  wordless: (count: number) =>
    plural(count, {
      one: '# punto del film ha una voce, ma non sono state riconosciute parole e non c’è una battuta. Inserisci una battuta dove qualcuno parla.',
      many: '# punti del film hanno una voce, ma non sono state riconosciute parole e non c’è una battuta. Inserisci una battuta dove qualcuno parla.',
      other:
        '# punti del film hanno una voce, ma non sono state riconosciute parole e non c’è una battuta. Inserisci una battuta dove qualcuno parla.',
    }),
  fromTo: (from: string, to: string) => `da ${from} a ${to}`,
  playPlace: (times: string) => `Riproduci ${times}`,
  morePlaces: (count: number) => `e altri ${count}`,
  uncovered: (count: number) =>
    plural(count, {
      one: '# punto del film con parlato non ha una battuta.',
      many: '# punti del film con parlato non hanno una battuta.',
      other: '# punti del film con parlato non hanno una battuta.',
    }),
}
