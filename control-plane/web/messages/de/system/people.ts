// The words of People and keys, in German.
import { plural } from '../language.ts'

export const strings = {
  invite: 'Person einladen',
  createKey: 'Schlüssel erstellen',
  tabs: { all: 'Alle', person: 'Personen', program: 'Programme', ended: 'Beendet' },
  columns: { name: 'Name', used: 'Diesen Monat genutzt', may: 'Rolle', last: 'Zuletzt genutzt', ends: 'Endet' },
  you: 'Sie',
  owner: 'Eigentümerkonto des Studios',
  kinds: { person: 'Person', program: 'Programm' },
  keyCount: (count: number) => plural(count, { one: '# Schlüssel', other: '# Schlüssel' }),
  none: 'Keine Einträge.',
  usageFile: 'Nutzung als CSV',

  hours: (count: string) => `${count}\u00a0h`,
  ofLimit: (used: string, limit: string) => `${used} von ${limit}`,
  unlimited: (used: string) => `${used}, ohne Limit`,
  nothing: '—',
  never: 'Nie',

  for: 'Für',
  roleHints: {
    listen: 'Abspielen und herunterladen, was in der Bibliothek ist',
    create: 'Sprechen, transkribieren, synchronisieren. Sieht nur die eigene Arbeit, keine Einstellungen',
    operate: 'Alles außer Schlüsseln: Rechner, Modelle, Einstellungen',
    own: 'Alles, auch Schlüssel und die Arbeit aller',
  },
  on: 'Auf',
  sound: 'Ton pro Tag',
  gpu: 'GPU-Zeit pro Monat',
  tasks: 'Aufgaben gleichzeitig',
  disk: 'Festplatte',
  noLimit: 'Ohne Limit',
  inDays: (days: number) => plural(days, { one: 'In # Tag', other: 'In # Tagen' }),
  once: 'Der Schlüssel wird einmal angezeigt.',
  onlyHere: 'Diese Adresse gilt nur auf diesem Rechner.',
  invitation: (address: string, key: string) => `Öffnen Sie ${address} und melden Sie sich mit diesem Schlüssel an:\n${key}`,

  keys: 'Schlüssel',
  firstKey: 'Schlüssel',
  created: 'Erstellt',
  fact: (name: string, value: string) => `${name}: ${value}`,
  replace: 'Ersetzen',
  oldEnds: 'Der alte Schlüssel endet',
  /** By seconds. */
  oldEndings: { 0: 'Sofort', 86400: 'In 24 Stunden', 604800: 'In 7 Tagen' },
  endKeyYes: 'Schlüssel beenden',
  taskCount: (count: number) => plural(count, { one: '# Aufgabe', other: '# Aufgaben' }),
  ofSound: (time: string) => `${time} Ton`,
  ofGpu: (time: string) => `${time} auf einer GPU`,
  endText: 'Anmeldungen enden sofort. Was entstanden ist, bleibt erhalten.',
  endYes: 'Zugang beenden',
}
