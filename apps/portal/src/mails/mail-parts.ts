// Parts that the mails share.

import { type Html, html, render } from '../html.ts'

export interface SubscriberMail {
  /** One line. */
  readonly subject: string
  /** Plain text. */
  readonly text: string
  readonly html: string
}

/** How often a digest is sent, in a sentence. */
export const FREQUENCY_WORDS = { daily: 'each day', weekly: 'each Monday' } as const

const PAGE =
  'margin:0;padding:24px 12px;background:#f4f4f2;color:#1c1c1a;font:16px/1.5 system-ui,-apple-system,Segoe UI,Roboto,sans-serif'
const CARD =
  'max-width:600px;margin:0 auto;padding:24px;background:#ffffff;border-radius:8px;overflow-wrap:anywhere'
export const QUIET = 'margin:0;color:#5d5d58;font-size:14px'

/** The HTML document of a mail. */
export function mailDocument(title: string, content: Html): string {
  return render(html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light" />
      <title>${title}</title>
    </head>
    <body style=${PAGE}><div style=${CARD}>${content}</div></body>
  </html>`)
}

export function mailButton(url: string, label: string): Html {
  return html`<p style="margin:20px 0"><a href=${url} style="display:inline-block;padding:10px 18px;background:#1f5f4a;color:#ffffff;border-radius:6px;text-decoration:none">${label}</a></p>`
}

/** A text of a customer or of a listing in one line: without line breaks, control characters, and characters that change its direction. */
export function oneLine(text: string, length = 120): string {
  const clean = text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim()
  return [...clean].length > length ? `${[...clean].slice(0, length - 1).join('')}…` : clean
}
