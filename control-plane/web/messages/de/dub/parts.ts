// The parts of an editor of a dub that its first view does not show, in German: one line, speakers and voices, terms, check, export.
import { grouped, list, plural } from '../language.ts'

const lines = (count: number) => plural(count, { one: '# Zeile', other: '# Zeilen' })
/** Names of the checks of a line. */
const CHECKS: Readonly<Record<string, string>> = {
  words: 'Wörter',
  timing: 'Timing',
  language: 'Sprache',
  level: 'Lautheit',
  clipping: 'Verzerrung',
  rate: 'Tempo',
  cut: 'abgeschnittene Enden',
  leak: 'Durchklingen des Originals',
  voice: 'Ähnlichkeit der Stimmen',
}
/** Reasons for checks that were not made. */
const NOT_CHECKED: Readonly<Record<string, string>> = {
  words: 'Kein installiertes Modell versteht diese Sprache.',
  language: 'Kein installiertes Modell versteht diese Sprache.',
  timing: 'Kein installiertes Modell findet, wo Sprache beginnt und endet.',
  leak: 'Beim Vorbereiten des Films wurden die Stimmen nicht von Musik und Geräuschen getrennt.',
  voice: 'Kein installiertes Modell vergleicht Stimmen.',
}
const checkNames = (checks: readonly string[]) => list(checks.map((check) => CHECKS[check] ?? check))

export const strings = {
  beginTitle: 'Synchronfassung starten',
  beginHint: 'Transkribieren Sie, was im Film gesagt wird, oder verwenden Sie vorhandene Untertitel.',
  startHint: 'Der Film wird in einem Durchgang transkribiert und übersetzt. Sie können diese Seite inzwischen verlassen.',
  follows: 'Danach wird der Film transkribiert und übersetzt.',
  afterUpload: 'Der Film wird transkribiert und übersetzt, sobald der Upload abgeschlossen ist.',
  filmLanguage: 'Sprache des Films',
  detect: 'Erkennen',
  dubInto: 'Zielsprachen',
  chooseLanguages: 'Sprachen wählen',
  addLanguage: 'Sprache hinzufügen',
  withoutLanguage: (name: string) => `${name} entfernen`,
  speakerCount: 'Personen',
  automatic: 'Automatisch',
  importSubtitles: 'Untertitel importieren',
  transcribe: 'Transkribieren',
  start: 'Starten',

  imported: (name: string) => `Zeilen aus ${name}`,
  readAgainHint: 'Sind Buchstaben falsch, wählen Sie eine andere Kodierung: Die Zeilen werden neu gelesen.',
  line: (number: number) => `Zeile ${number}`,
  newTake: 'Neuer Take',
  speakWith: (count: number) => `Diese und ${grouped(count)} weitere sprechen`,
  understood: (text: string) => `Die Prüfung hat verstanden: ${text}`,
  lengthIn: (length: string, room: string, isMeasured: boolean) =>
    `${isMeasured ? '' : 'Etwa '}${length}\u00a0s Sprache in einem Zeitfenster von ${room}\u00a0s.`,
  shorter: 'Eine kürzere Fassung:',
  use: 'Übernehmen',
  sourceText: 'Originaltext',
  startsAt: 'Anfang',
  endsAt: 'Ende',
  timeHint: 'Zum Beispiel 1:02.5 oder 62.5. Die Pfeiltasten nach oben und unten ändern die Zeit um 0,1\u00a0s, mit Umschalt um 1\u00a0s.',
  timeRefusals: {
    number: 'Geben Sie eine Zeit ein, zum Beispiel 1:02.5 oder 62.5.',
    order: 'Das Ende muss mindestens 0,1\u00a0s nach dem Anfang liegen.',
  },
  filmEnds: (end: string) => `Der Film endet bei ${end}.`,

  newSpeaker: 'Neue Person…',
  newSpeakerName: 'Name der neuen Person',
  addSpeaker: 'Hinzufügen',
  speakerKeys: 'Die Tasten 1 bis 9 legen die Person fest.',
  namesFound: 'In den Zeilen gefundene Personen:',
  useNames: 'Übernehmen',
  keepNames: 'Als Text belassen',
  hearVoice: (name: string) => `Stimme von ${name} abspielen`,
  stopVoice: (name: string) => `Stimme von ${name} stoppen`,
  speaks: (count: number, time: string) => (count === 0 ? lines(0) : `${lines(count)}, ${time}`),
  voicesHint: 'Jede Person behält eine Stimme. Zeilen, die mit einer anderen gesprochen wurden, werden neu gesprochen.',
  name: 'Name',
  voiceOf: (name: string) => `Stimme von ${name}`,
  engineVoice: 'Stimme der Engine',
  filmVoice: 'Stimme aus dem Film',

  glossaryHint: 'Namen und Begriffe, die überall gleich übersetzt werden. Sie gelten ab der nächsten Übersetzung.',
  noGlossary: 'Noch keine Begriffe.',
  terms: 'Begriffe',
  termSource: 'Original',
  termTarget: 'Übersetzung',
  termNote: 'Notiz',
  addTerm: 'Begriff hinzufügen',
  findTerms: 'Begriffe suchen',
  noTerms: 'Es gibt noch keinen Text.',
  termsFound: (count: number) =>
    count === 0
      ? 'Keine neuen Begriffe gefunden.'
      : plural(count, {
          one: '# Begriff hinzugefügt. Prüfen Sie die Übersetzung.',
          other: '# Begriffe hinzugefügt. Prüfen Sie die Übersetzungen.',
        }),
  foundTerm: 'Gefunden',
  editTerm: (name: string) => `${name} bearbeiten`,
  removeTerm: (name: string) => `${name} entfernen`,
  translateAgain: (count: number) => `${lines(count)} neu übersetzen`,

  exportTitle: 'Exportieren',
  language: 'Sprache',
  keepBackground: 'Musik und Geräusche des Films behalten',
  keepOriginal: 'Ton des Films behalten, leiser',
  dual: 'Untertitel in beiden Sprachen',
  burn: 'Untertitel ins Bild einblenden',
  files: {
    film: 'Video (MP4)',
    filmHint: (count: number, burns: boolean) =>
      `${plural(count, { one: 'Synchronfassung', other: '# Synchronfassungen' })}, Originalton und ${burns ? 'Untertitel im Bild' : 'ausgeschaltete Untertitel'}.`,
    mp3: 'Ton (MP3)',
    mp3Hint: 'Klein, läuft überall.',
    wav: 'Ton (WAV)',
    wavHint: 'Verlustfrei.',
    srt: 'Untertitel (SRT)',
    srtHint: 'Für Player und Videoportale.',
    vtt: 'Untertitel (WebVTT)',
    vttHint: 'Für Webseiten.',
    stems: 'Stems (ZIP)',
    stemsHint: 'Stimme und Hintergrund als getrennte Dateien.',
    lines: 'Zeilen (ZIP)',
    linesHint: 'Jede Zeile als WAV-Datei.',
  },
  saveAs: (name: string) => `${name} speichern`,
  exportHint:
    'Sie können dieses Fenster schließen und die Seite verlassen. Das Studio arbeitet weiter, und die fertige Datei erscheint hier.',
  makes: (name: string) => `${name} wird erstellt`,
  begins: 'Vorbereitung',
  exportFailed: 'Die Datei konnte nicht erstellt werden.',
  cancelExport: (name: string) => `${name} abbrechen`,
  madeTitle: 'Früher erstellt',
  madeFile: (size: string, when: string) => `${size} · ${when}`,

  checkTitle: 'Prüfung',
  checkAgain: 'Erneut prüfen',
  closeCheck: 'Prüfung schließen',
  linesCount: lines,
  faulty: (faulty: number, all: number) =>
    `${plural(faulty, { one: '# Zeile hat Mängel', other: '# Zeilen haben Mängel' })}, von insgesamt ${grouped(all)}.`,
  noFaults: 'In den geprüften Punkten wurden keine Mängel gefunden.',
  checked: (checks: readonly string[]) => `Geprüft: ${checkNames(checks)}.`,
  notChecked: (checks: readonly string[]) => `Nicht geprüft: ${checkNames(checks)}.`,
  /** Reasons for checks that no line had, each once. */
  whyNotChecked: (checks: readonly string[]) => [...new Set(checks.flatMap((check) => NOT_CHECKED[check] ?? []))],
  partlyChecked: (checks: readonly string[]) => `Nur in einigen Zeilen geprüft: ${checkNames(checks)}.`,
  showThem: 'Anzeigen',
  repair: 'Neu sprechen',
  closeNote: 'Hinweis schließen',
  wordless: (count: number) =>
    plural(count, {
      one: 'An # Stelle des Films ist eine Stimme zu hören, es wurden aber keine Wörter erkannt, und es gibt keine Zeile. Fügen Sie eine Zeile ein, wo jemand spricht.',
      other:
        'An # Stellen des Films ist eine Stimme zu hören, es wurden aber keine Wörter erkannt, und es gibt keine Zeile. Fügen Sie eine Zeile ein, wo jemand spricht.',
    }),
  fromTo: (from: string, to: string) => `${from} bis ${to}`,
  playPlace: (times: string) => `${times} abspielen`,
  morePlaces: (count: number) => `und ${count} weitere`,
  uncovered: (count: number) =>
    plural(count, {
      one: 'Für # Stelle des Films, an der gesprochen wird, gibt es keine Zeile.',
      other: 'Für # Stellen des Films, an denen gesprochen wird, gibt es keine Zeile.',
    }),
}
