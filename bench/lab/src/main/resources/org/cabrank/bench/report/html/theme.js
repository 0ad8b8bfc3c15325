'use strict';
// The page follows the system until it is told otherwise, for as long as it is open. On paper it is always light.
(() => {
  const root = document.documentElement;
  const button = document.getElementById('theme');
  const choices = ['auto', 'light', 'dark'];
  let choice = 0;

  function apply(theme) {
    if (theme === 'auto') {
      delete root.dataset.theme;
    } else {
      root.dataset.theme = theme;
    }
    document.dispatchEvent(new Event('themechange'));
  }

  button?.addEventListener('click', () => {
    choice = (choice + 1) % choices.length;
    button.textContent = 'Theme: ' + choices[choice];
    apply(choices[choice]);
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => apply(choices[choice]));
  addEventListener('beforeprint', () => apply('light'));
  addEventListener('afterprint', () => apply(choices[choice]));
})();
