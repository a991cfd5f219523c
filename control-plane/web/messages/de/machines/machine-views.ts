// The words of the views and dialogs that the Machines page opens, in German.
import { grouped } from '../language.ts'
import { strings as shared } from '../shared.ts'

const routing = {
  title: 'Läuft auf',
  target: 'Arbeit ausführen auf',
  automatic: 'Automatisch (am schnellsten)',
  unavailable: (name: string, why: string) => `${name} (${why})`,
  showFor: 'Zuordnung zeigen für',
  runningOn: (name: string) => `Läuft auf ${name}`,
  fastest: 'dem schnellsten Rechner',
  thisMachine: 'diesem Rechner',
  saved: 'Gespeichert.',
  where: 'Wohin die Arbeit zurzeit geht',
  operations: [
    ['', 'Alles'],
    ['tts', 'Sprachausgabe'],
    ['audiobook', 'Hörbücher'],
    ['dub', 'Synchronisation'],
    ['clone', 'Stimmen klonen'],
    ['asr', 'Transkription'],
    ['dictation', 'Diktat'],
    ['diarize', 'Sprechererkennung'],
    ['identify', 'Sprachbestimmung'],
    ['translate', 'Übersetzung'],
  ] as [string, string][],
}

const security = {
  title: 'Zertifizierungsstelle',
  intro:
    'Sie signiert die Zertifikate aller Rechner, mit denen diese sich ausweisen. Vergleichen Sie ihren Fingerabdruck mit dem, den ein Rechner beim Beitreten anzeigt.',
  fingerprint: 'Fingerabdruck',
  next: 'Nächste',
  previous: 'Vorherige',
  validUntil: 'Gültig bis',
  phases: { steady: 'In Gebrauch', prepared: 'Nachfolge vorbereitet', activated: 'Nachfolge in Gebrauch' },
  behind: 'Noch mit vorherigem Zertifikat',
  mustJoinAgain: 'Müssen neu beitreten',
  replace: 'Zertifizierungsstelle ersetzen',
  steps: {
    prepare:
      'Ersetzen Sie sie, wenn ihr Schlüssel bekannt geworden sein könnte oder sie bald abläuft. Schritt 1 erstellt die nächste; alle Rechner erfahren davon.',
    activate: 'Schritt 2 verwendet die nächste für neue Zertifikate. Ältere Codes und Zertifikate bleiben gültig.',
    retire: 'Schritt 3 beendet die vorherige. Er wartet, bis jeder Rechner ein neues Zertifikat hat.',
  },
  actions: { prepare: 'Nächste vorbereiten', activate: 'Nächste verwenden', retire: 'Vorherige beenden…' },
  done: {
    prepare: 'Die nächste Zertifizierungsstelle ist vorbereitet.',
    activate: 'Die nächste Zertifizierungsstelle ist in Gebrauch.',
    retire: 'Die vorherige Zertifizierungsstelle ist beendet.',
  },
  retireTitle: 'Vorherige Zertifizierungsstelle beenden?',
  retireYes: 'Beenden',
  retireWarning: 'Zertifikate und Codes der vorherigen Zertifizierungsstelle werden ungültig. Das lässt sich nicht rückgängig machen.',
}

const dialogs = {
  approveTitle: 'Diesen Rechner freigeben?',
  approveBefore: 'Nach der Freigabe sendet das Studio an ',
  approveAfter: ', was für die Aufgaben nötig ist:',
  sent: [
    ['Texte', ', die gesprochen oder übersetzt werden,'],
    ['Ton', ', der transkribiert oder verarbeitet wird,'],
    ['Stimmen', ', die verwendet werden: ihre Stimmproben und Beschreibungen.'],
  ],
  destinationBefore: 'Die Daten gehen an ',
  destinationKey: ', an den Rechner mit dem Schlüssel ',
  destinationAfter: '. Die Verbindung ist verschlüsselt.',
  unknownAddress: 'eine Adresse, die erst beim Verbinden bekannt wird',
  approveWarning: 'Wer diesen Rechner betreibt, kann sie lesen, anhören und behalten.',
  approveAdvice: ' Geben Sie einen Rechner nur frei, wenn Sie der Person, die ihn betreibt, Ihre Daten anvertrauen.',
  approveNote:
    'Sie können die Freigabe jederzeit zurückziehen. Die Aufgaben werden dann gestoppt und ihre Daten dort gelöscht; vorher angefertigte Kopien verbleiben jedoch dort.',
  notNow: 'Nicht jetzt',
  approve: 'Freigeben',
  useQuestion: 'Wie wird er verwendet?',
  uses: { automatic: 'Automatisch', chosen: 'Nur auf Auswahl' },
  useHints: {
    automatic: 'Arbeit läuft auf dem Rechner, der zuerst damit fertig ist: auf diesem oder einem, den Sie freigegeben haben.',
    chosen: 'Vorerst ändert sich nichts. Wählen Sie ihn unter „Arbeit ausführen auf“, wenn Sie ihn verwenden möchten.',
  },
  endsAutomatic: 'Arbeit läuft dann auf diesem Rechner, bis Sie unter „Arbeit ausführen auf“ einen anderen wählen.',
  approved: (name: string, use: 'automatic' | 'chosen') =>
    use === 'automatic'
      ? `${name} ist freigegeben und erhält automatisch Arbeit.`
      : `${name} ist freigegeben. Wählen Sie ihn aus, wenn Sie ihn verwenden möchten.`,

  changeTitle: 'Umbenennen oder Priorität festlegen',
  name: 'Name',
  nameHint: 'Höchstens 120 Zeichen. Ohne Namen wird der Schlüssel angezeigt.',
  priority: 'Priorität, 0 bis 100',
  priorityHint: 'Wären zwei Rechner gleichzeitig fertig, erhält der mit der höheren Priorität die Arbeit. Der Standardwert ist 50.',
  saved: 'Gespeichert.',

  withdrawTitle: 'Freigabe zurückziehen?',
  withdraw: 'Zurückziehen',
  withdrawBefore: 'Das Studio sendet keine Daten mehr an ',
  withdrawAfter: '. Die Aufgaben dort werden gestoppt, ihre Daten dort gelöscht, und sie laufen anderswo weiter.',
  withdrawn: 'Die Freigabe ist zurückgezogen.',

  releaseTitle: 'Quarantäne dieses Rechners aufheben?',
  release: 'Aufheben',
  quarantined: ' ist in Quarantäne:',
  alreadyReleased: 'Die Quarantäne ist bereits aufgehoben.',
  releaseWarning:
    'Heben Sie sie nur auf, wenn Sie sicher sind, dass nur ein einziger Rechner diesen Schlüssel hat. Der nächste Rechner, der den Schlüssel verwendet, wird akzeptiert.',
  released: 'Die Quarantäne ist aufgehoben.',

  removeTitle: 'Diesen Rechner entfernen?',
  remove: shared.remove,
  removeBefore: 'Der Schlüssel von ',
  removeAfter: ' wird widerrufen und die Verbindung getrennt. Die Aufgaben laufen anderswo weiter.',
  removeWarning:
    'Mit diesem Schlüssel kann der Rechner nicht zurückkehren. Um ihn wieder zu verwenden, fügen Sie ihn mit einem neuen Code hinzu.',
  removed: 'Der Rechner ist entfernt.',

  logTitle: 'Protokoll dieses Rechners',
  logNote: ': die neuesten Zeilen, die älteste zuerst. Geheimnisse und Texte von Aufgaben sind ausgelassen.',
  logLines: 'Zeilen des Protokolls',
  logEmpty: 'Das Protokoll ist leer.',
  refresh: 'Aktualisieren',

  goneTitle: 'Dieser Rechner ist nicht mehr da',
  gone: 'Er wurde entfernt, oder externe Rechner wurden ausgeschaltet.',
}

/** A pool beside the table, and in the question before its approval. */
const pool = {
  notKnown: 'Nicht bekannt',
  readsNot: 'Laut Betreiber nichts',
  keepsNothing: 'Laut Betreiber nach einem Auftrag nichts',
  operator: 'Betreiber',
  location: 'Standort',
  canDo: 'Kann',
  canRead: 'Kann lesen',
  keeps: 'Behält',
  reads: 'Texte, Stimmproben und Ton, die Sie senden',
  declared: 'Das gibt der Betreiber an. Das Studio kann es nicht prüfen.',
  share: 'Ihr Anteil',
  atOnce: 'Gleichzeitig',
  wait: 'Übliche Wartezeit',
  slots: 'Plätze',
  you: (count: number) => `Sie ${grouped(count)}`,
  others: (count: number) => `Andere ${grouped(count)}`,
  free: (count: number) => `Frei ${grouped(count)}`,
  studios: (count: number) => `Arbeitende Studios: ${grouped(count)}`,
  older: (count: number) => `Ältere Versionen: ${grouped(count)}`,
}

export const strings = { routing, security, dialogs, pool }
