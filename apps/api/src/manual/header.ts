// The header of every page of the manual, the reference included: the way to its parts, and the search over all of it.

/** What the header needs in the page's head. */
export const HEADER_FILES = `<link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/header.css">
<script src="/docs/search.js" type="module"></script>`

export const HEADER = `<header class="site-header">
<a class="brand" href="/docs"><img src="/docs/icon.svg" alt="" width="20" height="20">Lotline</a>
<nav aria-label="Manual"><a href="/docs/quick-start">Guides</a><a href="/docs/reference/">Reference</a><a href="/docs/operations">Operators</a></nav>
<form class="search" role="search"><input type="search" name="q" placeholder="Search guides and reference" aria-label="Search guides and reference" autocomplete="off" spellcheck="false"><div class="results" hidden></div></form>
</header>`
