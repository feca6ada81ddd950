// Every advisory lock of the service, one number for each purpose. All of them end with their transaction.
//
// A purpose must not share its number with another: the two would wait for each other without a reason, and the shorter one
// would fail by its lock timeout. SQL functions write the number as it is here.
// `database/advisory-locks.test.ts` reads the sources and compares them with this list.

/** The numbers mean nothing. Other programs in the same database must not use them. */
export const ADVISORY_LOCKS = {
  /** One process migrates at a time: `migrate.ts`. */
  migrations: 7_240_316_518,
  /** One process claims deliveries at a time: `claim_deliveries`. */
  deliveryClaims: 7_240_316_519,
  /** One process claims jobs at a time: `claim_jobs`. */
  jobClaims: 7_240_316_520,
  /** One process makes a partition of the ledger at a time: `make_book_partition`. */
  bookPartitions: 7_240_316_521,
  /** One import or removal of listings at a time. */
  imports: 7_240_316_523,
  /** One audit of the ledger from the console at a time. */
  operatorAudit: 7_240_316_533,
} as const
