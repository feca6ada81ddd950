import { expect, test } from 'vitest'
import { figureOf, median, quantile, ratioOf } from '../src/statistics.ts'

test('the median is the middle sample, or the mean of the middle two, in any order', () => {
  expect(median([9, 1, 5])).toBe(5)
  expect(median([10, 1, 2, 3])).toBe(2.5)
  expect(median([7])).toBe(7)
})

test('a quantile is one of the measured samples', () => {
  const samples = Array.from({ length: 100 }, (_, index) => 100 - index)
  expect(quantile(samples, 0.5)).toBe(50)
  expect(quantile(samples, 0.99)).toBe(99)
  expect(quantile(samples, 1)).toBe(100)
  expect(quantile(samples, 0)).toBe(1)
})

test('computing a figure includes its spread and does not reorder the samples', () => {
  const samples = [3, 1, 2]
  expect(figureOf(samples)).toEqual({ median: 2, min: 1, max: 3 })
  expect(samples).toEqual([3, 1, 2])
})

test('a ratio compares both sides within one round, so a slow round does not distort it', () => {
  expect(ratioOf([50, 5, 50], [100, 10, 100])).toBe(0.5)
  expect(() => ratioOf([1], [1, 2])).toThrow(RangeError)
})

test('a figure without samples is refused', () => {
  expect(() => median([])).toThrow(RangeError)
  expect(() => quantile([], 0.5)).toThrow(RangeError)
})
