import { createBasePath } from '#control-plane/http/contract/base-path.ts'
import { one } from '#control-plane/http/contract/caller.ts'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { defineArea } from '#control-plane/kernel/define.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { PeopleApi } from './api.ts'
import type { OidcAnswers } from './oidc/oidc.answers.ts'
import type { Oidc } from './oidc/oidc.service.ts'
import { peopleContracts, peopleSettings, SIGN_IN_START } from './people.contract.ts'
import type { PeopleService } from './people.service.ts'

declare module '#control-plane/kernel/define.ts' {
  interface AreaApis {
    readonly people: PeopleApi
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

type OpenedOidc = { readonly oidc: Oidc; readonly answers: OidcAnswers }
const oidcRoutes = (opened: () => Promise<OpenedOidc>, requireProvider: () => void): Route[] => [
  handle(peopleContracts.readProvider, async () => (await opened()).oidc.view()),
  handle(peopleContracts.setProvider, async ({ body }) => (await opened()).oidc.set(body)),
  handle(peopleContracts.removeProvider, async () => (await opened()).oidc.remove()),
  handle(peopleContracts.testProvider, async () => (await opened()).oidc.test()),
  handle(peopleContracts.startSignIn, async ({ query, ...request }) => {
    requireProvider()
    return (await opened()).answers.start(request, query.page)
  }),
  handle(peopleContracts.finishSignIn, async ({ query, ...request }) => {
    requireProvider()
    return (await opened()).answers.finish(request, query)
  }),
]

export const peopleArea = defineArea({
  name: 'people',
  needs: [],
  open: ({ people, peopleLimits, jobs, tasks, library: { db }, clock, log, choices, access, audit, random, settings }) => {
    const provider = () => choices.read(peopleSettings.provider)
    const { path: basePath, cookiePath } = createBasePath(settings.basePath)
    let service: Promise<PeopleService> | null = null
    // Loaded with the first route of people, because most studios have none.
    const opened = () =>
      (service ??= import('./people.service.ts').then(async ({ createPeopleService }) =>
        createPeopleService({
          people: await people.opened(),
          limits: peopleLimits,
          jobs,
          tasks,
          db,
          clock,
          log,
          issuer: () => provider()?.issuer ?? null,
        }),
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
    let oidc: Promise<OpenedOidc> | null = null
    const oidcOpened = () =>
      (oidc ??= Promise.all([import('./oidc/oidc.service.ts'), import('./oidc/oidc.answers.ts')]).then(
        ([{ createOidc }, { createOidcAnswers }]) => {
          const { origins, signIns } = access
          const opened = createOidc({ people: people.opened, choices, origins, audit, basePath, clock, random, log })
          return { oidc: opened, answers: createOidcAnswers({ oidc: opened, signIns, random, cookiePath }) }
        },
      ))
    /** Throws NOT_FOUND. Before anything of the sign-in is loaded: every sender reaches these routes. */
    const requireProvider = () => {
      if (provider() === null) throw new Failure('NOT_FOUND', 'This studio has no provider of identities. Sign in with a key.')
    }
    const signInOffer = () => {
      const one = provider()
      return one && { name: one.label || new URL(one.issuer).host, address: one.public_address + SIGN_IN_START }
    }
    return { routes: [...peopleRoutes(opened), ...oidcRoutes(oidcOpened, requireProvider)], api: { signInOffer }, services }
  },
})
