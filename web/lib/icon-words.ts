import { type Said, say } from '#language'
import { msg } from '#say'
import { COLLECTION_ICON_NAMES, type CollectionIconName } from '../../contract/icons.ts'
import { fold } from './fold.ts'

interface Words {
  label: Said
  /** Other words that find it. */
  keywords: Said
}

const WORDS: Record<CollectionIconName, Words> = {
  default: {
    label: msg({ message: 'Default', context: 'icon' }),
    keywords: msg({ message: 'collection general any', context: 'words that find an icon' }),
  },
  home: {
    label: msg({ message: 'Home', context: 'icon' }),
    keywords: msg({ message: 'house living family apartment', context: 'words that find an icon' }),
  },
  star: {
    label: msg({ message: 'Star', context: 'icon' }),
    keywords: msg({ message: 'best rating highlight night', context: 'words that find an icon' }),
  },
  favorite: {
    label: msg({ message: 'Favorite', context: 'icon' }),
    keywords: msg({ message: 'heart love wedding couple like', context: 'words that find an icon' }),
  },
  folder: {
    label: msg({ message: 'Folder', context: 'icon' }),
    keywords: msg({ message: 'files documents archive papers', context: 'words that find an icon' }),
  },
  'photo-camera': {
    label: msg({ message: 'Photo Camera', context: 'icon' }),
    keywords: msg({ message: 'photography pictures lens snapshot', context: 'words that find an icon' }),
  },
  image: {
    label: msg({ message: 'Image', context: 'icon' }),
    keywords: msg({ message: 'picture photo art gallery', context: 'words that find an icon' }),
  },
  trophy: {
    label: msg({ message: 'Trophy', context: 'icon' }),
    keywords: msg({ message: 'win award cup prize competition', context: 'words that find an icon' }),
  },
  camping: {
    label: msg({ message: 'Camping', context: 'icon' }),
    keywords: msg({ message: 'tent outdoors campfire holiday', context: 'words that find an icon' }),
  },
  luggage: {
    label: msg({ message: 'Luggage', context: 'icon' }),
    keywords: msg({ message: 'travel trip suitcase holiday vacation', context: 'words that find an icon' }),
  },
  flight: {
    label: msg({ message: 'Flight', context: 'icon' }),
    keywords: msg({ message: 'plane airplane travel trip airport', context: 'words that find an icon' }),
  },
  train: {
    label: msg({ message: 'Train', context: 'icon' }),
    keywords: msg({ message: 'railway travel trip station commute', context: 'words that find an icon' }),
  },
  'directions-car': {
    label: msg({ message: 'Car', context: 'icon' }),
    keywords: msg({ message: 'auto road trip drive travel', context: 'words that find an icon' }),
  },
  'directions-bike': {
    label: msg({ message: 'Bike', context: 'icon' }),
    keywords: msg({ message: 'bicycle cycling tour ride', context: 'words that find an icon' }),
  },
  sailing: {
    label: msg({ message: 'Sailing', context: 'icon' }),
    keywords: msg({ message: 'boat ship sea yacht', context: 'words that find an icon' }),
  },
  hiking: {
    label: msg({ message: 'Hiking', context: 'icon' }),
    keywords: msg({ message: 'walk trail mountain trek outdoors', context: 'words that find an icon' }),
  },
  'downhill-skiing': {
    label: msg({ message: 'Skiing', context: 'icon' }),
    keywords: msg({ message: 'winter snow slope sport snowboard', context: 'words that find an icon' }),
  },
  surfing: {
    label: msg({ message: 'Surfing', context: 'icon' }),
    keywords: msg({ message: 'wave sea board sport', context: 'words that find an icon' }),
  },
  pool: {
    label: msg({ message: 'Pool', context: 'icon' }),
    keywords: msg({ message: 'swimming swim water bath', context: 'words that find an icon' }),
  },
  'beach-access': {
    label: msg({ message: 'Beach', context: 'icon' }),
    keywords: msg({ message: 'sea summer umbrella holiday sand', context: 'words that find an icon' }),
  },
  forest: {
    label: msg({ message: 'Forest', context: 'icon' }),
    keywords: msg({ message: 'trees woods nature walk', context: 'words that find an icon' }),
  },
  landscape: {
    label: msg({ message: 'Landscape', context: 'icon' }),
    keywords: msg({ message: 'mountain mountains nature alps view', context: 'words that find an icon' }),
  },
  park: {
    label: msg({ message: 'Park', context: 'icon' }),
    keywords: msg({ message: 'tree garden nature outdoors', context: 'words that find an icon' }),
  },
  eco: {
    label: msg({ message: 'Leaf', context: 'icon' }),
    keywords: msg({ message: 'nature plant green garden environment', context: 'words that find an icon' }),
  },
  'local-florist': {
    label: msg({ message: 'Flower', context: 'icon' }),
    keywords: msg({ message: 'garden bloom spring rose bouquet', context: 'words that find an icon' }),
  },
  'potted-plant': {
    label: msg({ message: 'Plant', context: 'icon' }),
    keywords: msg({ message: 'garden houseplant green balcony', context: 'words that find an icon' }),
  },
  pets: {
    label: msg({ message: 'Pets', context: 'icon' }),
    keywords: msg({ message: 'dog cat animal paw', context: 'words that find an icon' }),
  },
  'cruelty-free': {
    label: msg({ message: 'Rabbit', context: 'icon' }),
    keywords: msg({ message: 'bunny animal easter pet', context: 'words that find an icon' }),
  },
  cake: {
    label: msg({ message: 'Cake', context: 'icon' }),
    keywords: msg({ message: 'birthday party sweet dessert anniversary', context: 'words that find an icon' }),
  },
  celebration: {
    label: msg({ message: 'Celebration', context: 'icon' }),
    keywords: msg({ message: 'party birthday fireworks confetti wedding', context: 'words that find an icon' }),
  },
  redeem: {
    label: msg({ message: 'Gift', context: 'icon' }),
    keywords: msg({ message: 'present birthday christmas surprise', context: 'words that find an icon' }),
  },
  'music-note': {
    label: msg({ message: 'Music', context: 'icon' }),
    keywords: msg({ message: 'song concert band sound festival', context: 'words that find an icon' }),
  },
  piano: {
    label: msg({ message: 'Piano', context: 'icon' }),
    keywords: msg({ message: 'music instrument keyboard concert', context: 'words that find an icon' }),
  },
  'theater-comedy': {
    label: msg({ message: 'Theatre', context: 'icon' }),
    keywords: msg({ message: 'theater drama stage masks acting', context: 'words that find an icon' }),
  },
  movie: {
    label: msg({ message: 'Movie', context: 'icon' }),
    keywords: msg({ message: 'film cinema video clip', context: 'words that find an icon' }),
  },
  palette: {
    label: msg({ message: 'Palette', context: 'icon' }),
    keywords: msg({ message: 'art paint colour color craft', context: 'words that find an icon' }),
  },
  brush: {
    label: msg({ message: 'Brush', context: 'icon' }),
    keywords: msg({ message: 'paint art draw craft', context: 'words that find an icon' }),
  },
  'photo-album': {
    label: msg({ message: 'Photo Album', context: 'icon' }),
    keywords: msg({ message: 'pictures memories scrapbook', context: 'words that find an icon' }),
  },
  'menu-book': {
    label: msg({ message: 'Book', context: 'icon' }),
    keywords: msg({ message: 'reading novel library diary', context: 'words that find an icon' }),
  },
  school: {
    label: msg({ message: 'School', context: 'icon' }),
    keywords: msg({ message: 'graduation university study class', context: 'words that find an icon' }),
  },
  science: {
    label: msg({ message: 'Science', context: 'icon' }),
    keywords: msg({ message: 'lab chemistry experiment research', context: 'words that find an icon' }),
  },
  'sports-soccer': {
    label: msg({ message: 'Football', context: 'icon' }),
    keywords: msg({ message: 'soccer ball sport match team', context: 'words that find an icon' }),
  },
  'sports-basketball': {
    label: msg({ message: 'Basketball', context: 'icon' }),
    keywords: msg({ message: 'ball sport hoop team', context: 'words that find an icon' }),
  },
  'sports-tennis': {
    label: msg({ message: 'Tennis', context: 'icon' }),
    keywords: msg({ message: 'ball racket sport match', context: 'words that find an icon' }),
  },
  'fitness-center': {
    label: msg({ message: 'Fitness', context: 'icon' }),
    keywords: msg({ message: 'gym sport training weights workout', context: 'words that find an icon' }),
  },
  'self-improvement': {
    label: msg({ message: 'Yoga', context: 'icon' }),
    keywords: msg({ message: 'meditation calm wellness health', context: 'words that find an icon' }),
  },
  restaurant: {
    label: msg({ message: 'Restaurant', context: 'icon' }),
    keywords: msg({ message: 'food dinner eat meal', context: 'words that find an icon' }),
  },
  'local-cafe': {
    label: msg({ message: 'Coffee', context: 'icon' }),
    keywords: msg({ message: 'cafe tea cup breakfast', context: 'words that find an icon' }),
  },
  'bakery-dining': {
    label: msg({ message: 'Bakery', context: 'icon' }),
    keywords: msg({ message: 'bread croissant baking breakfast', context: 'words that find an icon' }),
  },
  'wine-bar': {
    label: msg({ message: 'Wine', context: 'icon' }),
    keywords: msg({ message: 'drink glass vineyard evening', context: 'words that find an icon' }),
  },
  kitchen: {
    label: msg({ message: 'Kitchen', context: 'icon' }),
    keywords: msg({ message: 'fridge cooking food recipes', context: 'words that find an icon' }),
  },
  'outdoor-grill': {
    label: msg({ message: 'Grill', context: 'icon' }),
    keywords: msg({ message: 'barbecue bbq cooking garden summer', context: 'words that find an icon' }),
  },
  'shopping-bag': {
    label: msg({ message: 'Shopping', context: 'icon' }),
    keywords: msg({ message: 'bag buy clothes fashion', context: 'words that find an icon' }),
  },
  storefront: {
    label: msg({ message: 'Shop', context: 'icon' }),
    keywords: msg({ message: 'store market business', context: 'words that find an icon' }),
  },
  work: {
    label: msg({ message: 'Work', context: 'icon' }),
    keywords: msg({ message: 'job office business briefcase', context: 'words that find an icon' }),
  },
  groups: {
    label: msg({ message: 'Group', context: 'icon' }),
    keywords: msg({ message: 'people team friends club', context: 'words that find an icon' }),
  },
  'family-restroom': {
    label: msg({ message: 'Family', context: 'icon' }),
    keywords: msg({ message: 'parents children kids people', context: 'words that find an icon' }),
  },
  'child-care': {
    label: msg({ message: 'Child', context: 'icon' }),
    keywords: msg({ message: 'baby kid face toddler', context: 'words that find an icon' }),
  },
  stroller: {
    label: msg({ message: 'Stroller', context: 'icon' }),
    keywords: msg({ message: 'baby pram newborn walk', context: 'words that find an icon' }),
  },
  toys: {
    label: msg({ message: 'Toys', context: 'icon' }),
    keywords: msg({ message: 'play kids children game', context: 'words that find an icon' }),
  },
  elderly: {
    label: msg({ message: 'Grandparents', context: 'icon' }),
    keywords: msg({ message: 'grandma grandpa old seniors', context: 'words that find an icon' }),
  },
  handshake: {
    label: msg({ message: 'Handshake', context: 'icon' }),
    keywords: msg({ message: 'deal partners friends agreement', context: 'words that find an icon' }),
  },
  church: {
    label: msg({ message: 'Church', context: 'icon' }),
    keywords: msg({ message: 'wedding chapel religion christening', context: 'words that find an icon' }),
  },
  mosque: {
    label: msg({ message: 'Mosque', context: 'icon' }),
    keywords: msg({ message: 'islam religion prayer travel', context: 'words that find an icon' }),
  },
  castle: {
    label: msg({ message: 'Castle', context: 'icon' }),
    keywords: msg({ message: 'fortress history palace travel', context: 'words that find an icon' }),
  },
  'location-city': {
    label: msg({ message: 'City', context: 'icon' }),
    keywords: msg({ message: 'town buildings skyline urban', context: 'words that find an icon' }),
  },
  cottage: {
    label: msg({ message: 'Cottage', context: 'icon' }),
    keywords: msg({ message: 'house cabin holiday countryside', context: 'words that find an icon' }),
  },
  villa: {
    label: msg({ message: 'Villa', context: 'icon' }),
    keywords: msg({ message: 'house holiday mansion summer', context: 'words that find an icon' }),
  },
  public: {
    label: msg({ message: 'World', context: 'icon' }),
    keywords: msg({ message: 'globe earth travel planet', context: 'words that find an icon' }),
  },
  map: {
    label: msg({ message: 'Map', context: 'icon' }),
    keywords: msg({ message: 'travel route places trip', context: 'words that find an icon' }),
  },
  explore: {
    label: msg({ message: 'Compass', context: 'icon' }),
    keywords: msg({ message: 'travel direction adventure trip', context: 'words that find an icon' }),
  },
  flag: {
    label: msg({ message: 'Flag', context: 'icon' }),
    keywords: msg({ message: 'goal country milestone', context: 'words that find an icon' }),
  },
  event: {
    label: msg({ message: 'Event', context: 'icon' }),
    keywords: msg({ message: 'calendar date appointment', context: 'words that find an icon' }),
  },
  schedule: {
    label: msg({ message: 'Clock', context: 'icon' }),
    keywords: msg({ message: 'time hours watch', context: 'words that find an icon' }),
  },
  history: {
    label: msg({ message: 'History', context: 'icon' }),
    keywords: msg({ message: 'past memories old time', context: 'words that find an icon' }),
  },
  lightbulb: {
    label: msg({ message: 'Idea', context: 'icon' }),
    keywords: msg({ message: 'light lamp inspiration project', context: 'words that find an icon' }),
  },
  code: {
    label: msg({ message: 'Code', context: 'icon' }),
    keywords: msg({ message: 'programming computer software', context: 'words that find an icon' }),
  },
  construction: {
    label: msg({ message: 'Tools', context: 'icon' }),
    keywords: msg({ message: 'diy repair building renovation', context: 'words that find an icon' }),
  },
  agriculture: {
    label: msg({ message: 'Farm', context: 'icon' }),
    keywords: msg({ message: 'tractor field harvest countryside', context: 'words that find an icon' }),
  },
  'water-drop': {
    label: msg({ message: 'Water', context: 'icon' }),
    keywords: msg({ message: 'rain drop sea river', context: 'words that find an icon' }),
  },
  sunny: {
    label: msg({ message: 'Sun', context: 'icon' }),
    keywords: msg({ message: 'summer weather day light', context: 'words that find an icon' }),
  },
  'dark-mode': {
    label: msg({ message: 'Moon', context: 'icon' }),
    keywords: msg({ message: 'night sleep evening stars', context: 'words that find an icon' }),
  },
  'ac-unit': {
    label: msg({ message: 'Snow', context: 'icon' }),
    keywords: msg({ message: 'winter cold ice christmas snowflake', context: 'words that find an icon' }),
  },
  bolt: {
    label: msg({ message: 'Lightning', context: 'icon' }),
    keywords: msg({ message: 'power energy storm electricity', context: 'words that find an icon' }),
  },
  'rocket-launch': {
    label: msg({ message: 'Rocket', context: 'icon' }),
    keywords: msg({ message: 'space start launch project', context: 'words that find an icon' }),
  },
  'sports-esports': {
    label: msg({ message: 'Games', context: 'icon' }),
    keywords: msg({ message: 'gaming controller play console', context: 'words that find an icon' }),
  },
}

export const iconLabel = (name: CollectionIconName) => say(WORDS[name].label)

/** Icons for which every word of the search is the start of a word in the label, name or keywords. */
export function findIcons(search: string): CollectionIconName[] {
  const wanted = fold(search)
    .split(/[\s-]+/)
    .filter(Boolean)
  return COLLECTION_ICON_NAMES.filter((name) => {
    const words = fold(`${iconLabel(name)} ${name} ${say(WORDS[name].keywords)}`).split(/[\s-]/)
    return wanted.every((start) => words.some((word) => word.startsWith(start)))
  })
}
