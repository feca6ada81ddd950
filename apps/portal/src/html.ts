// Markup. `html` is htm over Preact: values are inserted as text or attributes, never as markup, so data from customers, receivers, and
// listings cannot add elements. The portal has no other way to write HTML.
// Why: decisions/interfaces/portal-pages-without-a-build.md

import { html as htmOverPreact } from 'htm/preact'
import type { ComponentChildren, VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'

/** Content of an element. */
export type Html = ComponentChildren

export const html = htmOverPreact as unknown as (
  strings: TemplateStringsArray,
  ...values: readonly unknown[]
) => VNode

export function render(document: VNode): string {
  return `<!doctype html>${renderToString(document)}`
}
