/** What the tests of published packages need: the very tarball that would be published, and the checks that it passes. */
export { faultsOfTarball } from './pack/check-tarball.ts'
export { packPackage } from './pack/pack-package.ts'
export { BILLS, type Component, makeBom } from './pack/sbom.ts'
export { type PublishedPackage, published } from './published.ts'
