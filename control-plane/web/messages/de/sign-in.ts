// The words of the page for signing in, in German.
export const strings = {
  appName: 'Voice Studio',
  title: 'Anmelden',
  about: 'Sie öffnen dieses Studio von einem anderen Gerät oder mit einem anderen Benutzerkonto.',
  key: 'API-Schlüssel',
  whereKey: 'Wer das Studio betreibt, kennt ihn.',
  show: 'Schlüssel anzeigen',
  send: 'Anmelden',
  duration: 'Die Anmeldung gilt bis zu 8 Stunden.',
  notEncrypted: 'Diese Verbindung ist nicht verschlüsselt. Melden Sie sich nur in einem Netzwerk an, dem Sie vertrauen.',
  wrongKey: 'Dieser Schlüssel stimmt nicht.',
  oddCharacter:
    'Die Eingabe enthält ein Zeichen, das nicht dazugehören kann, etwa ein unsichtbares Leerzeichen. Kopieren Sie sie erneut oder tippen Sie sie ein.',
  pin: 'PIN',
  wherePin: 'Sechs Ziffern, die auf dem Rechner des Studios angezeigt werden.',
  showPin: 'PIN anzeigen',
  sendPin: 'Studio öffnen',
  wrongPin: 'Diese PIN stimmt nicht.',
  tooManyPins: 'Zu viele falsche PINs. Warten Sie eine Minute oder fragen Sie am Rechner des Studios nach einer neuen PIN.',
  tooMany: (seconds: string) => `Zu viele falsche Schlüssel. Neuer Versuch in ${seconds}\u00a0s möglich.`,
  unreachable: 'Das Studio ist nicht erreichbar. Prüfen Sie, ob es noch läuft.',
  failed: (status: number) => `Das Studio hat mit Status ${status} geantwortet.`,
  signedOut: 'Sie wurden abgemeldet. Ihre Entwürfe sind noch in diesem Tab.',
  noKey:
    'Dieses Studio hat keinen API-Schlüssel, eine Anmeldung ist daher nicht möglich. Setzen Sie auf seinem Rechner STUDIO_API_KEY und starten Sie es neu.',
}
