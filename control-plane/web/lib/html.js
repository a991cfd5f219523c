// @ts-check
// One import for every view: markup as tagged templates, and the hooks.
import htm from 'htm'
import { h } from 'preact'
import { useMemo, useRef } from 'preact/hooks'

export { Component, Fragment, options, render } from 'preact'
export { useCallback, useEffect, useId, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks'
/** Values are set as text or properties, never parsed as markup. */
export const html = htm.bind(h)

/**
 * Functions that stay the same while their parent is drawn again, and call the newest ones: parts that depend on them alone are not drawn again.
 * @template {Readonly<Record<string, (...values: any[]) => unknown>>} T @param {T} functions with the same names each time @returns {T}
 */
export function useSteady(functions) {
  const newest = useRef(functions)
  newest.current = functions
  const steady = () =>
    Object.fromEntries(Object.keys(functions).map((name) => [name, (/** @type {any[]} */ ...values) => newest.current[name]?.(...values)]))
  return useMemo(() => /** @type {T} */ (steady()), [])
}
