import { expect, test } from 'vitest'
import { figureOf, median, quantile, ratioOf } from '../src/statistics.ts'

test('a median is the middle, or the mean of the two in the middle, in whatever order the samples came', () => {
  expect(median([9, 1, 5])).toBe(5)
  expect(median([10, 1, 2, 3])).toBe(2.5)
  expect(median([7])).toBe(7)
})

test('a quantile is a sample that was measured', () => {
  const samples = Array.from({ length: 100 }, (_, index) => 100 - index)
  expect(quantile(samples, 0.5)).toBe(50)
  expect(quantile(samples, 0.99)).toBe(99)
  expect(quantile(samples, 1)).toBe(100)
  expect(quantile(samples, 0)).toBe(1)
})

test('a figure has its spread, and samples are left in their order', () => {
  const samples = [3, 1, 2]
  expect(figureOf(samples)).toEqual({ median: 2, min: 1, max: 3 })
  expect(samples).toEqual([3, 1, 2])
})

test('a ratio compares the two sides of one round, so that a round which slowed both does not count', () => {
  expect(ratioOf([50, 5, 50], [100, 10, 100])).toBe(0.5)
  expect(() => ratioOf([1], [1, 2])).toThrow(RangeError)
})

test('nothing measured is no figure', () => {
  expect(() => median([])).toThrow(RangeError)
  expect(() => quantile([], 0.5)).toThrow(RangeError)
})
