import type { Home } from './home.ts'
import { landforms, natural } from './names.ts'
import { round } from './numbers.ts'
import type { School } from './property.ts'
import { randomFor } from './random.ts'
import { slug } from './street-address.ts'

type Level = School['level']

const grades: Record<Level, string> = { Elementary: 'K-5', Middle: '6-8', High: '9-12' }

/** The invented schools of a home's ZIP code, one of each level, and how far away they are. */
export function schoolsOf(home: Home): School[] {
  const { zipcode } = home.place
  const distances = randomFor(home.zpid, 'schools')
  const levels: Level[] = ['Elementary', 'Middle', 'High']
  return levels.map((level) => {
    const random = randomFor('school', zipcode, level)
    const name = `${random.pick(natural)} ${random.pick(landforms)} ${level} School`
    const type = random.weighted({ Public: 86, Charter: 8, Private: 6 })
    const assigned = type === 'Public' ? true : null
    return {
      name,
      rating: random.chance(0.9) ? random.int(2, 10) : null,
      distance: round(distances.between(0.1, level === 'Elementary' ? 1.2 : 2.8), 1),
      type,
      level,
      grades: grades[level],
      link: `https://schools.example.com/${zipcode}/${slug(name).toLowerCase()}`,
      size: random.chance(0.8) ? random.int(180, level === 'High' ? 1_900 : 780) : null,
      studentsPerTeacher: random.chance(0.8) ? random.int(11, 24) : null,
      assigned,
      isAssigned: assigned,
    }
  })
}

/** The district that a ZIP code's public schools belong to. */
export function districtOf(city: string): string {
  return `${city} Sample School District`
}
