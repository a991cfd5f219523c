// @ts-check
// One import for every view: markup as tagged templates, and the hooks.
import htm from 'htm'
import { h } from 'preact'
import { useMemo, useRef } from 'preact/hooks'
import { at } from '../at.js'

export { Component, Fragment, options, render } from 'preact'
export { useCallback, useEffect, useId, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks'
/** Values are set as text or properties, never parsed as markup. */
export const html = htm.bind(element)

/** Attributes that hold addresses. */
const ADDRESSES = ['href', 'src', 'poster']
/** @type {any} the types of preact have no form for any node */
const create = h
/**
 * Paths of the API become addresses of this studio.
 * @param {string | Function} type @param {Record<string, unknown> | null} attributes @param {...unknown} children
 */
function element(type, attributes, ...children) {
  if (typeof type !== 'string' || attributes === null) return create(type, attributes, ...children)
  for (const name of ADDRESSES) {
    const address = /** @type {unknown} */ (attributes[name])
    if (typeof address === 'string') attributes = { ...attributes, [name]: at(address) }
  }
  return create(type, attributes, ...children)
}

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
