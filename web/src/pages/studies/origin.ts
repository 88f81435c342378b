// Why the search proposes a configuration, from the one word that the server gives.
const WHY: Record<string, string> = {
  given: 'A person or program asked for it.',
  random: 'It is drawn at random: there is too little to learn from yet.',
  grid: 'It is the next place of the grid.',
  sobol: 'It fills a part of the space that has not been tried: there is too little to learn from yet.',
  tpe: 'It is more like the good trials than like the bad ones.',
  gp: 'A model of all results expects the largest improvement here.',
  local: 'A model around the best trial has its best value here.',
  evolution: 'It comes from the best trials of the last generation.',
  repeat: 'It repeats an earlier configuration, to learn how much results vary.',
  earlier: 'It is a result of the study that this one began with.',
  pbt: 'It takes over the checkpoint and the parameters of a better trial, and changes them a little.',
  spread: 'The first proposal had been tried before; this is a free place near it.',
};

export const whyOrigin = (origin: string) => WHY[origin] ?? `The search says: ${origin}.`;
