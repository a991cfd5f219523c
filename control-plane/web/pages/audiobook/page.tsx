// Audiobook: the books that exist, and the one that is being prepared.

import type { PageProps } from '#control-plane/web/app.tsx'
import { decoded } from '#control-plane/web/frame/address.ts'
import { Library } from '../audiobook-shelf/library.tsx'
import { Draft } from './draft.tsx'

export const Audiobook = ({ address, activeJobs }: Pick<PageProps, 'address' | 'activeJobs'>) =>
  address.object !== '' ? (
    <Draft project={decoded(address.object)} query={address.query} activeJobs={activeJobs} />
  ) : (
    <Library wanted={address.query.get('job') ?? ''} activeJobs={activeJobs} />
  )
