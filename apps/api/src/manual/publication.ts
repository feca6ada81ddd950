// Whether @lotline/client and @lotline/mock are on the public registry. The manual must not tell readers to run what is
// not there, so its pages are written for the time after the first publication and say until then what works today.

/** THE SWITCH: true from the first publication on. */
export const PUBLISHED = false

const BEFORE: readonly (readonly [written: RegExp, today: string])[] = [
  [/npx @lotline\/mock/g, 'npx -y pnpm@12.21.0 --silent mock'],
  [
    /npm install @lotline\/client/g,
    'npx -y pnpm@12.21.0 release:pack # in the checkout of Lotline: makes the packages in release/\n' +
      'npm install <checkout>/release/lotline-client-*.tgz',
  ],
]

/**
 * A text of the manual as it is true now. Before the publication, commands that would ask the registry become those that
 * work in a checkout of Lotline.
 */
export function asPublished(text: string, published = PUBLISHED): string {
  if (published) return text
  return BEFORE.reduce((written, [pattern, today]) => written.replaceAll(pattern, today), text)
}
