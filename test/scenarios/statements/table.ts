// Statements of the programs about where work runs, what was checked, what happens next and what a command did, with the test that makes
// each come true against the real programs. A new statement of this kind needs a row.
type Row = { readonly says: string; readonly file: string; readonly test: string }

const MACHINES = 'test/scenarios/statements/machines.test.ts'
const COMMANDS = 'test/cli/commands/workers.test.ts'
const EVERY_OPERATION = 'every operation runs where the studio says, with another machine chosen'
const EVERY_STATE =
  'in every state of the chosen machine, speech and dictation run where the studio says, and a notice gives the same reason'
const EVERY_CHANGE = 'what each change of a machine says has happened: work goes where the command said'

export const TABLE: readonly Row[] = [
  { says: 'Local … does not run on remote workers yet', file: MACHINES, test: EVERY_OPERATION },
  { says: 'NAME is drained, is shutting down, is offline … so this machine was used', file: MACHINES, test: EVERY_STATE },
  { says: 'Resumed NAME. It gets tasks again', file: COMMANDS, test: EVERY_CHANGE },
  { says: 'NAME is chosen, but it is offline, so tasks run on this machine until that changes', file: COMMANDS, test: EVERY_CHANGE },
  { says: 'Speech, dubs, audiobooks and dictation now run on NAME', file: COMMANDS, test: EVERY_CHANGE },
  { says: 'The chosen machine no longer exists', file: COMMANDS, test: EVERY_CHANGE },
  {
    says: 'Connected to the machine at ADDRESS, or: it has not answered yet',
    file: COMMANDS,
    test: 'connect says whether the machine answered, for one that listens on a fixed port and for one that does not',
  },
  {
    says: 'speech goes on after a stop of the studio',
    file: 'test/scenarios/jobs/orderly-stop.test.ts',
    test: 'speech and books that were started go on after an orderly stop, and nothing of them is lost',
  },
  {
    says: 'The studio closed the connection. Waiting for it to come back',
    file: 'test/cli/commands/books/book.test.ts',
    test: 'a book goes on when the studio that renders it is killed and started again',
  },
  {
    says: 'no faults were found, with what was not checked',
    file: 'test/e2e/create/dub.test.ts',
    test: 'a film is dubbed from the upload to the export, and the work survives reloads',
  },
  {
    says: 'flagged_count of a check without a recogniser',
    file: 'test/control-plane/features/dubbing/make/qc/check.test.ts',
    test: 'without a recogniser that knows the language no line is flagged for its words, and the way out is named',
  },
  {
    says: 'That access was removed; nothing was deleted',
    file: 'test/scenarios/system/start.test.ts',
    test: 'a data directory that other users can read is closed, and one of another user is refused',
  },
  {
    says: 'X-Svc-Voice',
    file: 'test/scenarios/statements/speech.test.ts',
    test: 'the voice of a request without one is named, and naming it gives the same sound',
  },
  {
    says: 'the voice of a row of the history; There is no voice NAME. The default voice NAME was used',
    file: 'test/scenarios/statements/speech.test.ts',
    test: 'a take, its row of the history and its notice name the voice that spoke',
  },
  {
    says: 'This voice supports speeds from … to …; The text seems to be …, and … pronounces it as …',
    file: 'test/scenarios/statements/speech.test.ts',
    test: 'a limited speed and a text in a foreign language are named in the headers',
  },
  {
    says: 'bounds and choices of settings',
    file: 'test/scenarios/statements/settings.test.ts',
    test: 'each setting accepts what its form says, refuses what is just beyond it, and says so without its key',
  },
  {
    says: 'The export contains the original sound',
    file: 'test/e2e/create/dub.test.ts',
    test: 'a film is dubbed from the upload to the export, and the work survives reloads',
  },
  {
    says: 'The join code expired at TIME, and the clock of this machine shows TIME',
    file: 'test/scenarios/trust/enrolment.test.ts',
    test: 'the studio decides whether a code has expired, and a clock that is far off keeps the code',
  },
  {
    says: 'The certificate is not valid: the clock of this machine shows TIME',
    file: 'test/shared/link/port/enrol.test.ts',
    test: 'certificates that are not valid by the clock of this machine name the clock, and no other fault does',
  },
  {
    says: 'refusals are no errors in the log',
    file: 'test/scenarios/statements/refusals.test.ts',
    test: 'a request for something that is not set up is refused with a hint, and is no error in the log',
  },
  {
    says: 'The file is damaged',
    file: 'test/scenarios/statements/refusals.test.ts',
    test: 'a program that cannot run is an error in the log with its reason, and the file is not blamed',
  },
  {
    says: 'say: the engine without --engine is the selected one',
    file: 'test/cli/commands/say.test.ts',
    test: 'speech is written to a file with its size, or to a pipe without -o, and notices go to standard error',
  },
]
