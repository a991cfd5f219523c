// A cell in a database of its own, and the faults that a test wants.
import type { TestContext } from 'node:test'
import { connect, type DatabaseConnection } from '#control-plane/store/postgres/connection.ts'
import type { OpenedPostgres } from '#control-plane/store/postgres/journal.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { newDatabase } from './databases.ts'
import { openCell, takeCell } from './open-cell.ts'
import { openRelay, type Relay } from './relay.ts'

const DISK_FULL = `create table fault (is_full boolean not null);
insert into fault values (false);
create function no_room() returns trigger language plpgsql as $$
begin
  if (select is_full from fault) then raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end if;
  return null;
end $$;
create trigger no_room after update of last_batch on cell for each statement execute function no_room();
create trigger no_room after delete on task_end for each statement execute function no_room();
create trigger no_room after delete on job for each statement execute function no_room();`

export function postgresCell(t: TestContext) {
  let started: Promise<{ admin: DatabaseConnection; relay: Relay; url: string }> | null = null
  let opened: OpenedPostgres | null = null
  let hasFaults = false
  const parts = () => {
    started ??= begin()
    return started
  }
  async function begin() {
    const { url } = await newDatabase()
    const relay = await openRelay(t, Number(new URL(url).port))
    const through = new URL(url)
    through.port = String(relay.port)
    return { admin: await connect(url, clock), relay, url: through.href }
  }
  t.after(async () => {
    await opened?.journal.close()
    ;(await started)?.admin.destroy()
  })
  async function setDiskFull(isFull: boolean): Promise<void> {
    const { admin } = await parts()
    if (!hasFaults && isFull) await admin.script(DISK_FULL)
    hasFaults ||= isFull
    if (hasFaults) await admin.script(`update fault set is_full = ${isFull}`)
  }
  return {
    setDiskFull,
    async open() {
      await setDiskFull(false)
      opened = await openCell((await parts()).url)
      return opened
    },
    async loseAnswer(isWritten: boolean): Promise<void> {
      ;(await parts()).relay.loseNext(isWritten ? 'answer' : 'batch')
    },
    /** Everything that the journal sends meanwhile arrives afterwards. */
    async takeOver(): Promise<void> {
      const { admin, relay } = await parts()
      relay.hold(true)
      await takeCell(admin)
      relay.hold(false)
    },
    relay: async () => (await parts()).relay,
    rows: async <Row>(text: string): Promise<Row[]> => (await parts()).admin.rows<Row>({ text, values: [] }),
  }
}
