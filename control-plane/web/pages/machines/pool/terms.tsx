// The facts that the operator of a pool declares: in the dialog of an approval, and beside the table.
import type { ComponentChildren } from 'preact'
import type { MachineView } from '#control-plane/web/lib/api-types.ts'
import { short } from '#control-plane/web/lib/format.ts'
import { grouped, list } from '#messages/language.ts'
import { strings as views } from '#messages/machines/machine-views.ts'
import { strings as machineWords } from '#messages/machines/machines.ts'

export type Pool = NonNullable<MachineView['pool']>
const strings = views.pool
/** Places that are named. */
const NAMED = 12

export const PoolFact = ({ name, children }: { name: string; children?: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd class="text clip">{children}</dd>
  </div>
)

/** All that a peer says is text: its contact is no link. */
const operatorOf = ({ operator, contact }: Pool) =>
  [short(operator, 120), short(contact, 120)].filter(Boolean).join(' · ') || machineWords.card.unknown

/** Rows of a list of facts. */
export const PoolTerms = ({ pool }: { pool: Pool }) => (
  <>
    <PoolFact name={strings.operator}>{operatorOf(pool)}</PoolFact>
    <PoolFact name={strings.location}>
      {pool.places.length === 0
        ? machineWords.card.unknown
        : list([
            ...pool.places.slice(0, NAMED).map((place) => short(place)),
            ...(pool.places.length > NAMED ? [`+${grouped(pool.places.length - NAMED)}`] : []),
          ])}
    </PoolFact>
    <PoolFact name={machineWords.page.machines}>{grouped(pool.machines)}</PoolFact>
    <PoolFact name={strings.canRead}>{pool.reads_inputs ? strings.reads : strings.readsNot}</PoolFact>
    <PoolFact name={strings.keeps}>{short(pool.keeps, 200) || strings.keepsNothing}</PoolFact>
  </>
)
