/** Style of an area, which the build loads with its module. */
declare module '*.css';
