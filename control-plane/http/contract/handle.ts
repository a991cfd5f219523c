// Binds a contract to the function that serves it, with the types of the contract.
import type { z } from 'zod'
import type { Upload } from '../input/form.ts'
import type { Principal } from './caller.ts'
import type { Contract, JsonContract, MediaContract } from './contract.ts'
import type { Content, EncodedJson } from './respond.ts'

type Parsed<C, Part extends string> = C extends { readonly [K in Part]: infer S extends z.ZodType } ? z.output<S> : undefined

/** Input of a handler: everything the contract declares, parsed. */
export type Input<C extends Contract> = {
  readonly params: Parsed<C, 'params'>
  readonly query: Parsed<C, 'query'>
  readonly body: Parsed<C, 'body'>
  /** The files of a form by field, on disk. */
  readonly uploads: Readonly<Record<string, Upload>>
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly caller: Principal
  /** Aborts when the client disconnects before the response is complete, or is signed out. */
  readonly signal: AbortSignal
  /** W3C trace context of this request; empty when it is not traced. */
  readonly traceparent: string
}
type Reply<C extends JsonContract> = z.input<C['reply']> | EncodedJson

/** A contract and the function that serves it, with the types erased so that it can be kept in a list. */
export type Route = {
  readonly contract: Contract
  readonly run: (input: never) => unknown
  readonly before?: (input: never) => unknown
}
/** Throws `Failure` for a request that cannot succeed with any body. Called before the body is read, after the check of access. */
type Before<C extends Contract> = (input: Pick<Input<C>, 'params' | 'caller'>) => unknown

/** `run` maps the input to one service call and its result to the reply; decisions belong to the service. It may throw `Failure`. */
export function handle<C extends MediaContract>(
  contract: C,
  run: (input: Input<C>) => Content | Promise<Content>,
  before?: Before<C>,
): Route
export function handle<C extends JsonContract>(
  contract: C,
  run: (input: Input<C>) => Reply<C> | Promise<Reply<C>>,
  before?: Before<C>,
): Route
export function handle(contract: Contract, run: (input: never) => unknown, before?: (input: never) => unknown): Route {
  return { contract, run, ...(before && { before }) }
}

/** Throws when a contract has no handler, or a handler has no contract in the list: one of the two was forgotten. */
export function checkBound(contracts: readonly Contract[], routes: readonly Route[]): void {
  const bound = routes.map(({ contract }) => contract)
  const unbound = contracts.filter((one) => !bound.includes(one))
  const unlisted = bound.filter((one) => !contracts.includes(one))
  const problems = [
    ...unbound.map(({ id }) => `${id} has no handler`),
    ...unlisted.map(({ id }) => `${id} is not in the list of contracts`),
  ]
  if (problems.length > 0) throw new Error(`Routes and contracts differ: ${problems.join('; ')}.`)
}
