// A body that answers later, and one that loses answers, against the suites that every body has to pass.
import { distantHarness } from './distant-journal.ts'
import { distantSuite } from './distant-suite.ts'
import { jobSuite } from './job-suite.ts'
import { ledgerModel } from './ledger-model.ts'
import { journalSuite } from './suite.ts'

const slow = distantHarness()
/** One answer of three arrives, one is lost after its batch was written, and one before. */
const losing = distantHarness({ delayMs: 5, losses: (batch) => [null, true, false][batch % 3]! })

distantSuite('a slow journal', slow)
journalSuite('a slow journal', slow)
jobSuite('a slow journal', slow)
ledgerModel('a slow journal', slow, 25)
ledgerModel('a journal that loses answers', losing, 25)
