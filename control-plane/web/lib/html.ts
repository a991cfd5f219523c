// One import for every view: the hooks, and addresses of the studio in its elements.
import { options, type VNode } from 'preact'
import { useMemo, useRef } from 'preact/hooks'
import { at } from '../at.ts'

export { Component, Fragment, options, render } from 'preact'
export { useCallback, useEffect, useId, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks'

/** Attributes that hold addresses. */
const ADDRESSES = ['href', 'src', 'poster'] as const

const before = options.vnode
/** Paths of the API become addresses of this studio in every element. */
options.vnode = (node: VNode) => {
  if (typeof node.type === 'string') {
    const attributes = node.props as Partial<Record<string, unknown>>
    for (const name of ADDRESSES) {
      const address = attributes[name]
      if (typeof address === 'string') attributes[name] = at(address)
    }
  }
  before?.(node)
}

/**
 * Functions that stay the same while their parent is drawn again, and call the newest ones: parts that depend on them alone are not drawn
 * again. `functions`: with the same names each time.
 */
export function useSteady<T extends Readonly<Record<string, (...values: never[]) => unknown>>>(functions: T): T {
  const newest = useRef(functions)
  newest.current = functions
  const steady = () =>
    Object.fromEntries(Object.keys(functions).map((name) => [name, (...values: never[]) => newest.current[name]?.(...values)]))
  return useMemo(() => steady() as T, [])
}
