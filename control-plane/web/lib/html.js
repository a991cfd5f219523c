// @ts-check
// One import for every view: markup as tagged templates, and the hooks.
import htm from 'htm'
import { h } from 'preact'

export { Component, Fragment, options, render } from 'preact'
export { useCallback, useEffect, useId, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks'
/** Values are set as text or properties, never parsed as markup. */
export const html = htm.bind(h)
