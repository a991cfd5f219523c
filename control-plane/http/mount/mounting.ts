// Types that mounted routes and folders share.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { MadeKind } from '#shared/protocol/access/client.ts'
import type { Contract } from '../contract/contract.ts'

/** The check before anything of a request is read. */
export type Admit = (contract: Contract) => (request: FastifyRequest, reply: FastifyReply) => Promise<void>
/** The same hook, which runs for the client of an admitted request. */
export type ForClient = <A extends unknown[], T>(
  run: (request: FastifyRequest, ...rest: A) => T,
) => (request: FastifyRequest, ...rest: A) => T
/** Throws FORBIDDEN for an object that another client than the current one made, unless this is the owner. */
export type RequireMaker = (kind: MadeKind, id: string) => void
