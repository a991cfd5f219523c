// Audiobook: the books that exist, and the one that is being prepared.

import type { PageProps } from '#control-plane/web/app.tsx'
import { Draft } from './draft.tsx'
import { Library } from './library.tsx'

export const Audiobook = ({ address, activeJobs }: Pick<PageProps, 'address' | 'activeJobs'>) =>
  address.object === 'draft' ? (
    <Draft query={address.query} activeJobs={activeJobs} />
  ) : (
    <Library wanted={address.query.get('job') ?? ''} activeJobs={activeJobs} />
  )
