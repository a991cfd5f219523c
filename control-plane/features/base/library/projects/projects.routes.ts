import { currentClient, currentViewer } from '#control-plane/clients/client.ts'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { projectsContracts } from './projects.contract.ts'
import type { Projects } from './projects.service.ts'

export const projectsRoutes = (projects: Projects): Route[] => [
  handle(projectsContracts.list, async () => projects.list(currentViewer())),
  handle(projectsContracts.create, async ({ body }) => projects.create(body, currentClient().id)),
  handle(projectsContracts.read, ({ params }) => projects.read(params.project_id)),
  handle(
    projectsContracts.replace,
    ({ params, body }) => projects.replace(params.project_id, body),
    ({ params }) => projects.require(params.project_id),
  ),
  handle(projectsContracts.rename, ({ params, body }) => projects.rename(params.project_id, body.name)),
  handle(projectsContracts.remove, ({ params }) => projects.remove(params.project_id)),
  handle(projectsContracts.undelete, async ({ params }) => projects.undelete(params.project_id, currentViewer())),
]
