import { one } from '#control-plane/http/contract/caller.ts'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { defineArea } from '#control-plane/kernel/define.ts'
import { peopleContracts } from './people.contract.ts'
import type { PeopleService } from './people.service.ts'

declare module '#control-plane/kernel/define.ts' {
  interface AreaApis {
    readonly people: null
  }
}

const peopleRoutes = (opened: () => Promise<PeopleService>): Route[] => [
  handle(peopleContracts.list, async ({ query }) => (await opened()).list(query.ended === 'true')),
  handle(peopleContracts.add, async ({ body }) => (await opened()).add(body)),
  handle(peopleContracts.readMe, async ({ caller }) => {
    const { person, mayOwn, mayAdminister } = caller
    if (person) return (await opened()).me(person)
    // Senders without a key of a person: the owner, and those who may use the studio only.
    return { name: null, role: (await mayOwn()) ? ('own' as const) : (await mayAdminister()) ? ('operate' as const) : ('create' as const) }
  }),
  handle(peopleContracts.replaceMyKey, async ({ body, caller }) => (await opened()).replaceMyKey(caller.person, body)),
  handle(peopleContracts.readUsage, async ({ query, headers }) => (await opened()).usage(query, one(headers['accept']))),
  handle(peopleContracts.change, async ({ params, body }) => (await opened()).change(params.person_id, body)),
  handle(peopleContracts.end, async ({ params }) => (await opened()).end(params.person_id)),
  handle(peopleContracts.addKey, async ({ params, body }) => (await opened()).addKey(params.person_id, body)),
  handle(peopleContracts.endKey, async ({ params }) => (await opened()).endKey(params.person_id, params.key_id)),
]

export const peopleArea = defineArea({
  name: 'people',
  needs: [],
  open: ({ people, peopleLimits, jobs, tasks, makers, db, clock, log }) => {
    let service: Promise<PeopleService> | null = null
    // Loaded with the first route of people, because most studios have none.
    const opened = () =>
      (service ??= import('./people.service.ts').then(async ({ createPeopleService }) =>
        createPeopleService({ people: await people.opened(), limits: peopleLimits, jobs, tasks, makers, db, clock, log }),
      ))
    const services = [
      {
        name: 'people',
        /** A kill may have come between the end of a person and that of its tasks. */
        start() {
          for (const id of peopleLimits.tasksOfEnded())
            tasks
              .cancel(id)
              .catch((error: unknown) => log.warn({ task: id, err: String(error) }, 'a task of a person that ended could not be cancelled'))
        },
        stop: async () => {},
      },
    ]
    return { routes: peopleRoutes(opened), api: null, services }
  },
})
