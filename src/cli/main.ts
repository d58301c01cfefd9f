console.log('curvad');
