// The SQLite body of the journal against the suites that every body has to pass.
import { jobSuite } from './job-suite.ts'
import { ledgerModel } from './ledger-model.ts'
import { sqliteHarness } from './sqlite-harness.ts'
import { journalSuite } from './suite.ts'

journalSuite('SQLite', sqliteHarness)
jobSuite('SQLite', sqliteHarness)
ledgerModel('SQLite', sqliteHarness)
