// The words of the sections that connect machines, in German: add, connect, share and lend.

import { COMMAND } from '#control-plane/web/lib/names.ts'
import { plural } from '../language.ts'
import { strings as shared } from '../shared.ts'

const add = {
  title: 'Rechner hinzufügen',
  intro: 'Der andere Rechner verbindet sich mit einem Einmalcode mit diesem Studio. Dort muss kein Port offen sein.',
  name: 'Name des Rechners',
  nameHint: 'Der hier angezeigte Name. Er lässt sich später ändern.',
  address: 'Adresse dieses Studios',
  detected: (endpoint: string) => `${endpoint} (erkannt)`,
  fromPage: (host: string) => `${host} (Adresse dieser Seite)`,
  other: 'Andere Adresse…',
  otherLabel: 'Andere Adresse',
  otherHint: 'HOST oder HOST:PORT, zum Beispiel von einem Router, der den Port weiterleitet.',
  validFor: 'Gültig für',
  times: [
    [300, '5 Minuten'],
    [900, '15 Minuten'],
    [3600, '1 Stunde'],
    [86_400, '1 Tag'],
  ] as [number, string][],
  create: 'Code erstellen',
  createAnother: 'Weiteren Code erstellen',
  code: 'Beitrittscode',
  codeBefore: 'Der Code gilt einmal und verbindet mit ',
  codeTime: '. Restzeit: ',
  expired: 'keine, abgelaufen',
  onOther: 'Auf dem anderen Rechner',
  ways: {
    npx: 'Mit Node 22.18 oder neuer:',
    container: 'In einem Container:',
    files: 'In einem Ordner mit den gepackten Dateien:',
    checkout: 'In einem Checkout:',
  } as Record<string, string>,
  thenLends: 'Der Rechner tritt bei und hilft von da an ohne Terminal. Wo das nicht geht, nennt der Befehl, wie man ihn startet.',
  sameLines: 'Dieselben Zeilen zeigt',
  waiting: 'Warten auf den Rechner. Sobald er beigetreten ist, erscheint er hier.',
  codeExpired: 'Der Code ist abgelaufen.',
  joined: (isConnected: boolean) =>
    isConnected
      ? ' ist beigetreten und verbunden.'
      : ` ist beigetreten. Die Verbindung entsteht, sobald dort der Agent läuft: ${COMMAND} agent`,
  approved: 'Er ist freigegeben.',
  notApproved: 'Bis zur Freigabe wird nichts dorthin gesendet.',
  approve: 'Freigeben…',
}

const secret = {
  copy: 'Kopieren',
  copied: 'Kopiert.',
  selected: 'Markiert. Kopieren Sie den Text mit der Tastatur.',
  once: 'Dies wird nicht noch einmal angezeigt.',
  qr: (label: string) => `${label} als QR-Code`,
}

const connect = {
  title: 'Mit einem GPU-Rechner verbinden',
  intro: `Für einen Rechner, der Verbindungen annimmt. Dort wird auf der Seite „Rechner“ oder mit ${COMMAND} agent keys add eine Verbindungszeichenfolge für Sie erstellt.`,
  remoteOff: 'Schalten Sie zuerst externe Rechner ein.',
  string: 'Verbindungszeichenfolge',
  stringHint: 'Halten Sie sie geheim. Sie gehört dem ersten Studio, das sie verwendet.',
  connect: 'Verbinden',
  connecting: (endpoint: string) => `Verbindung mit ${endpoint} wird aufgebaut.`,
  connections: 'Verbindungen',
  connected: 'Verbunden',
  notConnected: 'Nicht verbunden',
  remove: shared.remove,
  removeOne: (endpoint: string) => `Verbindung mit ${endpoint} entfernen`,
  removeTitle: 'Diese Verbindung entfernen?',
  removeWarning:
    'Das Studio trennt die Verbindung und entfernt den Rechner. Um ihn wieder zu verwenden, brauchen Sie eine neue Verbindungszeichenfolge.',
  removed: 'Die Verbindung ist entfernt.',
}

const share = {
  title: 'Diesen Rechner teilen',
  intro: 'Andere Studios verbinden sich mit diesem Rechner und nutzen seine GPU. Jede Person erhält einen Schlüssel.',
  on: 'Ein',
  off: 'Aus',
  listeningOn: 'Nimmt Verbindungen an unter ',
  reach: (isExposed: boolean) =>
    isExposed
      ? '. Andere Rechner können diese Adresse erreichen, aber nur ein Schlüssel gibt Zugang.'
      : '. Nur Programme auf diesem Rechner können diese Adresse erreichen.',
  startError: (reason: string) => `Verbindungen können nicht angenommen werden: ${reason}`,
  address: 'Adresse für Verbindungen',
  addressHint: '127.0.0.1: nur Programme auf diesem Rechner. 0.0.0.0: alle Rechner, die diesen erreichen können.',
  port: 'Port',
  start: 'Teilen starten',
  change: 'Adresse ändern',
  stop: 'Teilen beenden',
  started: 'Dieser Rechner wird geteilt.',
  stopped: 'Dieser Rechner wird nicht mehr geteilt.',
  keys: 'Schlüssel',
  newKey: 'Neuer Schlüssel…',
  noKeys: 'Noch keine Schlüssel.',
  keyTitle: 'Neuer Schlüssel',
  person: 'Person',
  personHint: 'Höchstens 64 Zeichen.',
  createKey: 'Schlüssel erstellen',
  keyFor: 'Nur für ',
  keyForOne: '. Der Schlüssel gehört dem ersten Studio, das ihn verwendet.',
  string: 'Verbindungszeichenfolge',
  localOnly:
    'Zurzeit können ihn nur Programme auf diesem Rechner verwenden. Damit andere sich verbinden können, wählen Sie 0.0.0.0 oder eine Netzwerkadresse.',
  state: 'Status',
  lastSeen: 'Zuletzt gesehen',
  actions: 'Aktionen',
  keyStates: { revoked: 'Widerrufen', connected: 'Verbunden', unused: 'Noch nicht verwendet', away: 'Nicht verbunden' },
  revoke: 'Widerrufen',
  revokeOne: (name: string) => `Schlüssel von ${name} widerrufen`,
  revokeTitle: 'Diesen Schlüssel widerrufen?',
  revokeBefore: 'Der Zugang von ',
  revokeAfter: ' endet sofort, und laufende Aufgaben werden gestoppt. Das lässt sich nicht rückgängig machen.',
  revoked: 'Der Schlüssel ist widerrufen.',
  connected: 'Verbunden',
  noSessions: 'Zurzeit ist niemand verbunden.',
  from: (peer: string) => ` von ${peer}, verbunden: `,
  tasksRun: (count: number) => plural(count, { one: ', # Aufgabe ausgeführt', other: ', # Aufgaben ausgeführt' }),
  disconnect: 'Trennen',
  disconnectOne: (name: string) => `${name} trennen`,
  disconnected: 'Getrennt. Nach einer Minute kann sich das Studio wieder verbinden. Widerrufen Sie den Schlüssel, um es fernzuhalten.',
  events: (count: number) => `Verbindungsprotokoll (${count})`,
  someone: 'Unbekannt',
  event: (peer: string, what: string, detail: string) => ` von ${peer}: ${what}${detail && `, ${detail}`}`,
  eventKinds: { connected: 'verbunden', disconnected: 'getrennt', kicked: 'wurde getrennt', rejected: 'wurde abgewiesen' },
}

const lend = {
  title: 'Mit Beitrittscode verleihen',
  section: 'Diesen Rechner verleihen',
  states: {
    none: 'Nicht beigetreten',
    off: 'Aus',
    finishing: 'Schließt ab',
    lending: 'Verliehen',
    searching: 'Nicht verbunden',
    unknown: 'Unbekannt',
  },
  none: 'Dieser Rechner ist keinem anderen Studio beigetreten.',
  off: (studio: string) => `Beigetreten: ${studio}. Zurzeit wird nichts verliehen.`,
  finishing: (studio: string, held: number) =>
    `Für ${studio} ${plural(held, { one: 'wird noch # Aufgabe', other: 'werden noch # Aufgaben' })} abgeschlossen. Neue werden nicht angenommen.`,
  lending: (studio: string, held: number) =>
    `Verliehen an ${studio}, zurzeit mit ${plural(held, { one: '# Aufgabe', other: '# Aufgaben' })}.`,
  searching: (studio: string) => `Verbindung zu ${studio} wird aufgebaut.`,
  studioAt: (name: string, endpoint: string) => `${name || 'Studio'} unter ${endpoint}`,
  lastError: (error: string) => `Letztes Problem: ${error}`,
  pinned: 'Die Umgebungsvariable STUDIO_WORKER_MODE legt dies fest. Hier lässt es sich nicht ändern.',
  start: 'Verleihen starten',
  stop: 'Verleihen beenden',
  started: 'Dieser Rechner wird verliehen.',
  stopped: 'Dieser Rechner wird nicht mehr verliehen.',
  join: 'Beitreten und verleihen',
  joinAnother: 'Einem anderen Studio beitreten',
  joined: 'Beigetreten. Dieser Rechner wird verliehen.',
  code: 'Beitrittscode des anderen Studios',
  codeHint:
    'Erstellt auf der Seite „Rechner“ jenes Studios mit „Rechner hinzufügen“. Dieser Rechner bearbeitet dann, was von dort gesendet wird.',
}

export const strings = { add, secret, connect, share, lend }
